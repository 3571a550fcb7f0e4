#include "gpu/thrust/plain_rounds.inl"
