# draftgauge_install_data(FOLDER COMPONENT): what figures are drawn of where no recording is named, and examples. The program looks
# for them in ../share/draftgauge/data from where it stands.
function(draftgauge_install_data folder component)
  set(data "${PROJECT_SOURCE_DIR}/data")
  install(DIRECTORY "${data}/smollm2" "${data}/sweeps" DESTINATION "${folder}" COMPONENT ${component})
  install(FILES "${data}/alice.txt" "${data}/alice.md" "${data}/smollm2.md" "${data}/smollm2_prune2_24.md"
                "${data}/smollm2_prune2_24.safetensors" "${data}/smollm2_prune2_24.tsv"
          DESTINATION "${folder}" COMPONENT ${component})
endfunction()
