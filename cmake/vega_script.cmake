# Run at each build, with RENDERER and SCRIPT: makes SCRIPT, which is empty where that Python lacks vl-convert-python.
# Not at configuration, since `make` may get hold of the library later.
execute_process(COMMAND "${RENDERER}" "${CMAKE_CURRENT_LIST_DIR}/vega_script.py" "${SCRIPT}"
                RESULT_VARIABLE status ERROR_VARIABLE complaint)
set(missing 9)
if(status EQUAL missing OR (NOT status EQUAL 0 AND NOT EXISTS "${RENDERER}"))
  set(size -1)
  if(EXISTS "${SCRIPT}")
    file(SIZE "${SCRIPT}" size)
  endif()
  if(NOT size EQUAL 0)
    file(WRITE "${SCRIPT}" "")
    message(STATUS "No vl-convert-python: pages of draftgauge report will be static")
  endif()
elseif(NOT status EQUAL 0)
  message(FATAL_ERROR "${RENDERER} cannot make ${SCRIPT}: ${status} ${complaint}")
endif()
