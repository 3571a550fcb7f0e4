#include "gpu/thrust_figures.inl"
