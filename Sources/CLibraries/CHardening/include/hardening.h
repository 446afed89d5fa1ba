#ifndef COUNTERSIGN_HARDENING_H
#define COUNTERSIGN_HARDENING_H

#include <stdbool.h>

/// Nobody of the same user may attach to this process, read its memory or make it dump core; `/proc/PID` belongs to root.
bool hardening_forbid_tracing(void);

/// No descriptor that we were started with, but the three standard ones, reaches a program that we start.
void hardening_keep_descriptors(void);

/// A crash ends the process and nothing else: no handler prints registers, memory or a backtrace. Sanitizers keep theirs.
void hardening_drop_crash_handlers(void);

/// Memory may be locked, and so kept out of swap, up to the limit that root has set.
void hardening_lock_what_may_be_locked(void);

#endif
