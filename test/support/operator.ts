import { userInfo } from 'node:os';

/** The actor of what a command of this run does. */
export const commandUser = `cli:${userInfo().username}`;
