#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// What OpenSSL offers as macros only, which Swift does not see.

static inline void tls_set_least_version(SSL_CTX *context, int version) {
  SSL_CTX_set_min_proto_version(context, version);
}

// Also undoes a greatest version that anything else has set.
static inline void tls_set_any_greatest_version(SSL_CTX *context) { SSL_CTX_set_max_proto_version(context, 0); }

static inline void tls_set_options(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CLEANSE_PLAINTEXT);
  SSL_CTX_clear_options(context, SSL_OP_IGNORE_UNEXPECTED_EOF | SSL_OP_LEGACY_SERVER_CONNECT |
                                     SSL_OP_ALLOW_UNSAFE_LEGACY_RENEGOTIATION | SSL_OP_NO_TICKET);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
}

static inline void tls_set_longest_chain(SSL_CTX *context, long bytes) { SSL_CTX_set_max_cert_list(context, bytes); }

static inline void tls_keep_sessions_outside(SSL_CTX *context) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
}

static inline int tls_set_server_name(SSL *ssl, const char *name) { return (int)SSL_set_tlsext_host_name(ssl, name); }

static inline int tls_reason(unsigned long error) { return ERR_GET_REASON(error); }

static inline int tls_is_of_ssl(unsigned long error) { return ERR_GET_LIB(error) == ERR_LIB_SSL; }

static inline int tls_is_end_of_pem(unsigned long error) {
  return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
}
