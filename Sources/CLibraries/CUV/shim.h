#include <uv.h>

// glibc declares these only under _GNU_SOURCE, which Swift's Glibc module does not set.
extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int pthread_setname_np(pthread_t, const char *);
