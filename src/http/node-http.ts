/** `node:http` without an import, which would load what WebSockets need: a tenth of a start. */
export const { createServer, METHODS, STATUS_CODES } = process.getBuiltinModule('node:http');
