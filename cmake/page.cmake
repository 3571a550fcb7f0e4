# What `draftgauge report` is made of: the files of apps/report/page, and the script that draws charts, taken from
# vl-convert-python where the Python DRAFTGAUGE_RENDERER has it. Nothing of the script is kept in the repository.

function(draftgauge_embed_page target)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/page")
  add_custom_target(${target}_vega BYPRODUCTS "${folder}/vega.js"
                    COMMAND "${CMAKE_COMMAND}" "-DRENDERER=${DRAFTGAUGE_RENDERER}" "-DSCRIPT=${folder}/vega.js"
                            -P "${PROJECT_SOURCE_DIR}/cmake/vega_script.cmake"
                    COMMENT "" VERBATIM)
  file(GLOB paths CONFIGURE_DEPENDS report/page/*.html report/page/*.css report/page/*.js report/page/*.json)
  list(APPEND paths "${folder}/vega.js")
  set(embedded "")
  set(found "")
  set(number 0)
  foreach(path IN LISTS paths)
    cmake_path(GET path FILENAME name)
    set(symbol "draftgauge_page_${number}")
    string(APPEND embedded "asm(R\"(.pushsection .rodata\n${symbol}: .incbin \"${path}\"\n${symbol}_end:\n"
                           ".popsection)\");\n"
                           "extern \"C\" __attribute__((visibility(\"hidden\"))) char const ${symbol}[];\n"
                           "extern \"C\" __attribute__((visibility(\"hidden\"))) char const ${symbol}_end[];\n")
    string(APPEND found "  if (name == \"${name}\") return {${symbol}, ${symbol}_end};\n")
    math(EXPR number "${number} + 1")
  endforeach()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/page_files.cc.in" "${folder}/page_files.cc" @ONLY)
  set_property(SOURCE "${folder}/page_files.cc" PROPERTY OBJECT_DEPENDS "${paths}")
  target_sources(${target} PRIVATE "${folder}/page_files.cc")
  add_dependencies(${target} ${target}_vega)  # Makefiles follow BYPRODUCTS to no target
endfunction()
