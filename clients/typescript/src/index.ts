export { Answer, type Answered, List, type RateLimit } from './answer.ts';
export { RosterConnectionError, RosterError, RosterTimeoutError } from './errors.ts';
export { RosterClient } from './generated/client.ts';
export type * from './generated/types.ts';
export type { ChangeOptions, ClientOptions, KeyedOptions, RequestOptions } from './options.ts';
