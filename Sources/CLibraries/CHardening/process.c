#include "hardening.h"
#include "sanitizers.h"

#include <signal.h>
#include <sys/prctl.h>

bool hardening_forbid_tracing(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0; }

void hardening_drop_crash_handlers(void) {
#ifndef HAS_SANITIZER
    // Swift's runtime installs a backtracer for these before main, unless the environment forbids it.
    static const int crashes[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
    for (unsigned long index = 0; index < sizeof crashes / sizeof *crashes; index++) signal(crashes[index], SIG_DFL);
#endif
}
