# What `cpack -G DEB` makes: the program, and apart from it the library for other programs. cmake/release/deb calls it, on a
# build for /usr.
set(CPACK_PACKAGE_VENDOR "The draftgauge authors")
set(CPACK_PACKAGE_CONTACT "The draftgauge authors <draftgauge@localhost>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME draftgauge)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS python3)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
    "${PROJECT_DESCRIPTION}\n Simulates, proves and measures verification rules, chooses draft lengths and trees.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libdraftgauge-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libboost1.74-dev | libboost-dev (>= 1.74), libgmp-dev, libeigen3-dev, nlohmann-json3-dev, coinor-libclp-dev, libre2-dev, libssl-dev, zlib1g-dev, libfmt-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "${PROJECT_DESCRIPTION}, for C++\n Headers, static libraries and the package that find_package(draftgauge) reads.")
include(CPack)
