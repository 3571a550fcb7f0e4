# Run at each build, with RENDERER and SCRIPT: makes SCRIPT, which is empty where that Python lacks vl-convert-python.
# Not at configuration, since `make` may get hold of the library later.
execute_process(COMMAND "${RENDERER}" "${CMAKE_CURRENT_LIST_DIR}/vega_script.py" "${SCRIPT}"
                RESULT_VARIABLE failed ERROR_QUIET)
if(failed)
  set(size -1)
  if(EXISTS "${SCRIPT}")
    file(SIZE "${SCRIPT}" size)
  endif()
  if(NOT size EQUAL 0)
    file(WRITE "${SCRIPT}" "")
    message(STATUS "No vl-convert-python: pages of draftgauge report will be static")
  endif()
endif()
