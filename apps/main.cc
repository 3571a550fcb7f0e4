#include <iostream>

#include "apps/cli.h"

int main(int count, char** words) { return draftgauge::run_cli({words + 1, words + count}, std::cout, std::cerr); }
