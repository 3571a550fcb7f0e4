#include "gpu/thrust/engine.inl"
