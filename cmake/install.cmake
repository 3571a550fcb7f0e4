# `cmake --install`: the program, the libraries, their headers as <draftgauge/sim/x.h>, and the package that
# find_package(draftgauge) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/draftgauge)

if(DRAFTGAUGE_APPS)
  install(TARGETS draftgauge RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(TARGETS draftgauge_sim draftgauge_analysis draftgauge_gpu EXPORT draftgaugeTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT draftgaugeTargets NAMESPACE draftgauge:: DESTINATION ${package_dir})
install(DIRECTORY sim analysis gpu ${PROJECT_BINARY_DIR}/generated/sim
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/draftgauge FILES_MATCHING PATTERN "*.h")

configure_package_config_file(cmake/draftgaugeConfig.cmake.in draftgaugeConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(draftgaugeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/draftgaugeConfig.cmake ${PROJECT_BINARY_DIR}/draftgaugeConfigVersion.cmake
        DESTINATION ${package_dir})
