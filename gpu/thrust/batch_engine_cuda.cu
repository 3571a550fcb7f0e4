#include "gpu/thrust/batch_engine.inl"
