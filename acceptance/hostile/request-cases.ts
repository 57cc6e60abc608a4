import { chunkCases } from './chunk-cases.ts';
import { fieldCases } from './field-cases.ts';
import { lengthCases } from './length-cases.ts';
import type { Ingredients, RequestCase } from './request-case.ts';
import { requestLineCases } from './request-line-cases.ts';
import { searchCases } from './search-cases.ts';
import { sequenceCases } from './sequence-cases.ts';

/** Every rule of HTTP/1.1 that a request can break, and those that it can stretch. */
export function requestCases(of: Ingredients): RequestCase[] {
  return [requestLineCases, fieldCases, lengthCases, chunkCases, sequenceCases, searchCases].flatMap((cases) =>
    cases(of),
  );
}
