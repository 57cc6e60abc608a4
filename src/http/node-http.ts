/**
 * `node:http` without an import: Node would read every export of it for the ES module, and some of those load
 * what WebSockets need, a tenth of a start.
 */
export const { createServer, METHODS, STATUS_CODES } = process.getBuiltinModule('node:http');
