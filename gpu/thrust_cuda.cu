#include "gpu/thrust_engine.inl"
