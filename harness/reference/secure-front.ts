import type { Server } from 'node:http';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';

/**
 * Certificate of the reference gateway over TLS, valid only for 127.0.0.1. Its key is not secret, so only a run
 * that has started the reference may trust it.
 */
export const ownCertificate = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUOsyDV3wZQY3t5I+t/1Uk7vCZu28wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMzA2MzI1NloYDzIxMjYxMDMw
MDYzMjU2WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAS8sCCZ2gd+cnnAI9T4kmMgJE8B62jd88Yg95OBU0CbIPMaJA8guUzc
G638SPsnRLo2QWAp64B67rvedYRPK6Vvo28wbTAdBgNVHQ4EFgQUEQ3zCul5U8M0
eqahnvRQp3AeVucwHwYDVR0jBBgwFoAUEQ3zCul5U8M0eqahnvRQp3AeVucwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARhwR/AAABgglsb2NhbGhvc3QwCgYIKoZI
zj0EAwIDSAAwRQIhAPem/CXPTO2iR8jHEOQL4AEAx1du8VBEzvEF/fyQJf5pAiA1
h0wbXBPNnDdaQmsVkGnMtRIipyUMc5De+zTz6d3wog==
-----END CERTIFICATE-----
`;

const ownKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQglHwOvUuYrLXaYbr6
qWyedmwXRi6AGxq35YDVVC+/4GKhRANCAAS8sCCZ2gd+cnnAI9T4kmMgJE8B62jd
88Yg95OBU0CbIPMaJA8guUzcG638SPsnRLo2QWAp64B67rvedYRPK6Vv
-----END PRIVATE KEY-----
`;

interface Front {
  readonly server: Http2SecureServer;
  close(): Promise<void>;
}

/** Adds TLS in front of a server, with HTTP/2 for clients that support it, and forwards the requests. */
export function secureFront(behind: Server): Front {
  const server = createSecureServer({ allowHTTP1: true, key: ownKey, cert: ownCertificate });
  const open = new Set<Socket>();
  server.on('secureConnection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  server.on('request', (request, out) => behind.emit('request', request, out));
  server.on('upgrade', (...asked) => behind.emit('upgrade', ...asked));
  // A client that disconnects in the middle of a stream is not an error of the gateway.
  server.on('sessionError', () => undefined);
  return {
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
