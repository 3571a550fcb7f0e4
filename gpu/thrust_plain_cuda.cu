#include "gpu/plain_rounds.inl"
