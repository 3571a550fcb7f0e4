# The lists of rules, faulty rules, drafters, policies and schedules: one text file each, one line an entry ("header type"), from which
# the include list and the type list are written, so that adding one is one file and one line.

# Writes FOLDER/list.h, with `using ALIAS = TypeList<…>`, from the text file sim/….txt.
function(draftgauge_write_list text alias)
  set(path ${PROJECT_SOURCE_DIR}/${text})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  cmake_path(GET text PARENT_PATH folder)
  file(STRINGS ${path} lines REGEX "^[^#]" ENCODING UTF-8)
  set(includes "")
  set(types "")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^([^ ]+\\.h) +([^ ].*)$")
      message(FATAL_ERROR "${text}: \"${line}\" is not an entry (the list cannot be written) "
                          "write it as: header.h Type")
    endif()
    set(header ${folder}/${CMAKE_MATCH_1})
    set(type ${CMAKE_MATCH_2})
    if(header MATCHES "^sim/[a-z]+/([a-z]+/.*)$")  # from another folder of sim
      set(header sim/${CMAKE_MATCH_1})
    endif()
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${header})
      message(FATAL_ERROR "${text}: there is no ${header} (the entry \"${line}\" names it) "
                          "add the file or mend the line")
    endif()
    list(APPEND includes "#include \"${header}\"")
    list(APPEND types "    ${type}")
  endforeach()
  if(NOT types)
    message(FATAL_ERROR "${text}: no entries (a program without any has nothing to run) "
                        "add a line: header.h Type")
  endif()
  list(REMOVE_DUPLICATES includes)
  list(JOIN includes "\n" includes)
  list(JOIN types ",\n" types)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${folder}/list.h @ONLY CONTENT
"// Written by cmake/lists.cmake from @text@.
#pragma once
#include \"sim/base/type_list.h\"
@includes@

namespace draftgauge {
using @alias@ = TypeList<
@types@>;
}
")
endfunction()

function(draftgauge_lists target)
  draftgauge_write_list(sim/rules/rules.txt Rules)
  draftgauge_write_list(sim/drafters/drafters.txt Drafters)
  draftgauge_write_list(sim/policies/policies.txt Policies)
  draftgauge_write_list(sim/faulty/faulty.txt FaultyRules)
  draftgauge_write_list(sim/schedules/schedules.txt Schedules)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>)
endfunction()
