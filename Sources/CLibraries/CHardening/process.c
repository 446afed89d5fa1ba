#define _GNU_SOURCE
#include "hardening.h"
#include "sanitizers.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

bool hardening_forbid_tracing(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0; }

void hardening_keep_descriptors(void) {
    if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
    // A kernel before 5.11.
    for (int descriptor = 3; descriptor < 65536; descriptor++) {
        int flags = fcntl(descriptor, F_GETFD);
        if (flags >= 0) fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC);
    }
}

void hardening_lock_what_may_be_locked(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_MEMLOCK, &limit);
}

void hardening_drop_crash_handlers(void) {
#ifndef HAS_SANITIZER
    // Swift's runtime installs a backtracer for these before main, unless the environment forbids it.
    static const int crashes[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
    for (unsigned long index = 0; index < sizeof crashes / sizeof *crashes; index++) signal(crashes[index], SIG_DFL);
#endif
}
