#pragma once

// How often the process that this is linked into has allocated memory.
unsigned long allocation_count(void);
