import { AppError } from '../errors.ts';

/** The source cannot be read; the database of this side has no part in it. */
export class SourceError extends AppError {
  constructor(message: string, options: ErrorOptions = {}) {
    super('unavailable', message, options);
  }
}
