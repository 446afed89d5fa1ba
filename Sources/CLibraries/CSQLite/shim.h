#include <fcntl.h>
#include <linux/stat.h>
#include <sqlite3.h>

// glibc declares it only under _GNU_SOURCE, which Swift's Glibc module does not set.
extern int statx(int, const char *, int, unsigned int, struct statx *);
