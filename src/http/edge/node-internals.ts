import type { Socket } from 'node:net';

/** Private properties of Node, for which it has nothing public. If they go, both functions still do no harm. */
interface Internals {
  _handle?: { bytesWritten: number; writeQueueSize: number } | null;
  parser?: { onIncoming: unknown } | null;
}

/** Bytes that the system has taken; `writableLength` tells nothing of a large write before all of it is taken. */
export function bytesTaken(socket: Socket & Internals): number {
  const { _handle: handle } = socket;
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten - socket.writableLength;
}

const restIsNotHttp = 2;

/** Drops the rest of what was read. Node would parse all of it, though the connection is gone. */
export function stopParsing({ parser }: Socket & Internals): void {
  if (parser) parser.onIncoming = () => restIsNotHttp;
}
