/** `node:http` without an import, which would load what WebSockets need: a tenth of a start. */
export const { createServer, METHODS, STATUS_CODES } = process.getBuiltinModule('node:http');

export const serverOptions = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 72_000,
  // The pipeline rejects a missing Host itself, in the envelope.
  requireHostHeader: false,
};

export const defaultLimits = {
  inFlightMax: 1_000,
  /** A caller with no more requests under way does not flood. */
  fewMax: 4,
  waitMaxMs: 1_000,
  answerWithinMs: 5_000,
  begunTogetherMax: 64,
  /** Time for beginning requests, 64 at a time, before sockets are read again. */
  turnMs: 5,
  /** With so many waiting for so long, some are begun before all sockets are read, which may take seconds. */
  readTogetherMax: 128,
  readTogetherMs: 20,
  /** An idle connection takes about 16 KB. */
  connectionsMax: 16_384,
  requestsOfConnectionMax: 100_000,
  /** Requests of one connection without a sent answer; Node parses up to 3,000 of one read, at 2 KB each. */
  pipelinedMax: 128,
  /** After so many on all connections in one turn, a connection may have only a few. */
  pipelinedOfTurnMax: 2_048,
  pipelinedMaxThen: 8,
  /** With its framing: a mebibyte in chunks of a byte takes six. */
  bodyBytesMax: 8 * 1_048_576,
  bodyWithinMs: 9_000,
  /** A reader takes this much in this time. The system may buffer megabytes late: twice the time is below 15 s. */
  takenBytesMin: 16_384,
  takenWithinMs: 6_000,
  lingerMs: 500,
  lookEveryMs: 500,
  stopWithinMs: 7_000,
};

export type Limits = Readonly<typeof defaultLimits>;
