#pragma once
#include <string>

/// Files of data/, as tests name them to the program.
namespace draftgauge {

inline std::string const data_folder = DRAFTGAUGE_SOURCE_DIR "/data/";
inline std::string const rows_file = data_folder + "smollm2_prune2_24.safetensors";
inline std::string const columns_file = data_folder + "smollm2/prune2_T1.tsv";
inline std::string const other_columns = data_folder + "smollm2/q2k_T1.tsv";
inline std::string const costs_file = data_folder + "smollm2/costs_2threads.jsonl";
inline std::string const engine_text = data_folder + "smollm2/block_run.tsv";
inline std::string const engine_rounds = data_folder + "smollm2/block_run_rounds.jsonl";

}  // namespace draftgauge
