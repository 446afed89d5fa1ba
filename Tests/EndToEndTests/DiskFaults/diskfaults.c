/* Makes calls of the C library fail on files below one directory: preloaded into a program under test.
 *
 * DISKFAULTS_ROOT  the directory; files outside of it, and sockets, are left alone.
 * DISKFAULTS_PLAN  a file with one line, `CALL N ERRNO COUNT`: from the Nth such call on, COUNT of them fail with ERRNO
 *                  (COUNT 0: all). It may be replaced while the program runs: the counting begins anew. No file: no faults.
 *                  CALL is write, fsync, ftruncate, rename, open or mmap.
 * DISKFAULTS_HITS  a line is added here for each call that was made to fail.
 * DISKFAULTS_LOG   a line is added here for each call: `CALL PATH`.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char last_plan[128];
static char plan_call[16];
static long plan_nth, plan_errno, plan_count, seen;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* Straight to the kernel, so that nothing of this is counted. */
static void note(const char *variable, const char *call, const char *path) {
    const char *file = getenv(variable);
    if (!file) return;
    int fd = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) return;
    char line[PATH_MAX + 32];
    int length = snprintf(line, sizeof line, "%s %s\n", call, path);
    syscall(SYS_write, fd, line, length);
    syscall(SYS_close, fd);
}

static void read_plan(void) {
    char text[128] = "";
    const char *file = getenv("DISKFAULTS_PLAN");
    int fd = file ? syscall(SYS_openat, AT_FDCWD, file, O_RDONLY | O_CLOEXEC, 0) : -1;
    if (fd >= 0) {
        long count = syscall(SYS_read, fd, text, sizeof text - 1);
        text[count > 0 ? count : 0] = 0;
        syscall(SYS_close, fd);
    }
    if (strcmp(text, last_plan) == 0) return;
    strcpy(last_plan, text);
    seen = 0;
    if (sscanf(text, "%15s %ld %ld %ld", plan_call, &plan_nth, &plan_errno, &plan_count) != 4) plan_call[0] = 0;
}

/* 1 when this call is to fail; errno says with what. */
static int fails(const char *call, const char *path) {
    const char *root = getenv("DISKFAULTS_ROOT");
    if (!root || !path || strncmp(path, root, strlen(root)) != 0) return 0;
    int saved = errno;
    pthread_mutex_lock(&lock);
    note("DISKFAULTS_LOG", call, path);
    read_plan();
    int hit = 0;
    if (strcmp(call, plan_call) == 0) {
        seen++;
        hit = seen >= plan_nth && (plan_count == 0 || seen < plan_nth + plan_count);
    }
    if (hit) note("DISKFAULTS_HITS", call, path);
    int code = plan_errno;
    pthread_mutex_unlock(&lock);
    errno = hit ? code : saved;
    return hit;
}

static const char *path_of(int fd, char *buffer) {
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    long count = syscall(SYS_readlinkat, AT_FDCWD, name, buffer, PATH_MAX - 1);
    if (count < 0) return NULL;
    buffer[count] = 0;
    return buffer;
}

static int fd_fails(const char *call, int fd) {
    char buffer[PATH_MAX];
    int saved = errno;
    const char *path = fd >= 0 ? path_of(fd, buffer) : NULL;
    errno = saved;
    return fails(call, path);
}

static int at_fails(const char *call, int directory, const char *path) {
    char buffer[2 * PATH_MAX];
    if (path[0] == '/' || directory == AT_FDCWD) return fails(call, path);
    int saved = errno;
    const char *base = path_of(directory, buffer);
    errno = saved;
    if (!base) return 0;
    strcat(buffer, "/");
    strncat(buffer, path, PATH_MAX - 1);
    return fails(call, buffer);
}

#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | __O_TMPFILE)) { \
        va_list rest; \
        va_start(rest, flags); \
        mode = va_arg(rest, mode_t); \
        va_end(rest); \
    }

int open(const char *path, int flags, ...) {
    MODE(flags)
    return fails("open", path) ? -1 : REAL(open)(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    MODE(flags)
    return fails("open", path) ? -1 : REAL(open64)(path, flags, mode);
}
int openat(int directory, const char *path, int flags, ...) {
    MODE(flags)
    return at_fails("open", directory, path) ? -1 : REAL(openat)(directory, path, flags, mode);
}
int openat64(int directory, const char *path, int flags, ...) {
    MODE(flags)
    return at_fails("open", directory, path) ? -1 : REAL(openat64)(directory, path, flags, mode);
}
ssize_t write(int fd, const void *bytes, size_t count) {
    return fd_fails("write", fd) ? -1 : REAL(write)(fd, bytes, count);
}
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
    return fd_fails("write", fd) ? -1 : REAL(pwrite)(fd, bytes, count, offset);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
    return fd_fails("write", fd) ? -1 : REAL(pwrite64)(fd, bytes, count, offset);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
    return fd_fails("write", fd) ? -1 : REAL(writev)(fd, parts, count);
}
int fallocate(int fd, int mode, off_t offset, off_t length) {
    return fd_fails("write", fd) ? -1 : REAL(fallocate)(fd, mode, offset, length);
}
int posix_fallocate(int fd, off_t offset, off_t length) {
    return fd_fails("write", fd) ? errno : REAL(posix_fallocate)(fd, offset, length);
}
int fsync(int fd) { return fd_fails("fsync", fd) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fd_fails("fsync", fd) ? -1 : REAL(fdatasync)(fd); }
int ftruncate(int fd, off_t length) { return fd_fails("ftruncate", fd) ? -1 : REAL(ftruncate)(fd, length); }
int ftruncate64(int fd, off64_t length) { return fd_fails("ftruncate", fd) ? -1 : REAL(ftruncate64)(fd, length); }
int rename(const char *from, const char *to) { return fails("rename", to) ? -1 : REAL(rename)(from, to); }
int renameat(int from_directory, const char *from, int to_directory, const char *to) {
    return at_fails("rename", to_directory, to) ? -1 : REAL(renameat)(from_directory, from, to_directory, to);
}
int link(const char *from, const char *to) { return fails("rename", to) ? -1 : REAL(link)(from, to); }
void *mmap(void *place, size_t length, int protection, int flags, int fd, off_t offset) {
    if (fd >= 0 && fd_fails("mmap", fd)) return MAP_FAILED;
    return REAL(mmap)(place, length, protection, flags, fd, offset);
}
void *mmap64(void *place, size_t length, int protection, int flags, int fd, off64_t offset) {
    if (fd >= 0 && fd_fails("mmap", fd)) return MAP_FAILED;
    return REAL(mmap64)(place, length, protection, flags, fd, offset);
}
