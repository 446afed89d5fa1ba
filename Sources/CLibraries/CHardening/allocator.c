// Memory is wiped when it is freed: by Swift, by OpenSSL, by SQLite, by the C library itself.
//
// A program that defines these functions replaces the C library's for all that it loads (glibc manual, "Replacing
// malloc"). The blocks are still the C library's; what is ours is that no block goes back with something in it. So
// `realloc` never leaves a copy behind, which the C library's own would.

#include "sanitizers.h"

#ifndef HAS_SANITIZER

#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

void *malloc(size_t size) { return __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return __libc_calloc(count, size); }

void free(void *block) {
    if (block == NULL) return;
    explicit_bzero(block, malloc_usable_size(block));
    __libc_free(block);
}

void *realloc(void *block, size_t size) {
    if (block == NULL) return __libc_malloc(size);
    if (size == 0) {
        free(block);
        return NULL;
    }
    size_t usable = malloc_usable_size(block);
    if (size <= usable && size >= usable / 2) {
        explicit_bzero((char *)block + size, usable - size);
        return block;
    }
    void *moved = __libc_malloc(size);
    if (moved == NULL) return NULL;
    memcpy(moved, block, size < usable ? size : usable);
    free(block);
    return moved;
}

void *reallocarray(void *block, size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, total);
}

void *memalign(size_t alignment, size_t size) { return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return __libc_memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    int before = errno;
    void *made = __libc_memalign(alignment, size);
    errno = before;
    if (made == NULL) return ENOMEM;
    *block = made;
    return 0;
}

void *valloc(size_t size) { return __libc_memalign((size_t)sysconf(_SC_PAGESIZE), size); }

void *pvalloc(size_t size) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (size > SIZE_MAX - page) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_memalign(page, (size + page - 1) & ~(page - 1));
}

#endif
