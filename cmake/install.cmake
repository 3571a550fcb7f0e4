# `cmake --install`: the program, the libraries, their headers as <draftgauge/sim/x.h>, and the package that
# find_package(draftgauge) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(data)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/draftgauge)

if(DRAFTGAUGE_APPS)
  install(TARGETS draftgauge RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT runtime)
  draftgauge_install_data(${CMAKE_INSTALL_DATADIR}/draftgauge/data runtime)
endif()
install(TARGETS draftgauge_sim draftgauge_analysis draftgauge_gpu EXPORT draftgaugeTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(EXPORT draftgaugeTargets NAMESPACE draftgauge:: DESTINATION ${package_dir} COMPONENT development)
install(DIRECTORY sim analysis gpu ${PROJECT_BINARY_DIR}/generated/sim
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/draftgauge COMPONENT development FILES_MATCHING PATTERN "*.h" PATTERN "*.inc")
install(FILES analysis/draftgauge.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/draftgauge COMPONENT development)
# Installed headers name each other from the one root, so that a compiler needs no other, and no "sim/x.h" of someone else's is
# taken for ours.
install(CODE "
  file(GLOB_RECURSE headers \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/draftgauge/*.h\")
  foreach(header IN LISTS headers)
    file(READ \"\${header}\" text)
    string(REGEX REPLACE \"#include \\\"(sim|analysis|gpu)/\" \"#include \\\"draftgauge/\\\\1/\" text \"\${text}\")
    file(WRITE \"\${header}\" \"\${text}\")
  endforeach()" COMPONENT development)

configure_package_config_file(cmake/draftgaugeConfig.cmake.in draftgaugeConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(draftgaugeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/draftgaugeConfig.cmake ${PROJECT_BINARY_DIR}/draftgaugeConfigVersion.cmake
        cmake/FindClp.cmake cmake/FindGMP.cmake cmake/FindRE2.cmake
        DESTINATION ${package_dir} COMPONENT development)

if(PROJECT_IS_TOP_LEVEL)
  include(package)
endif()
