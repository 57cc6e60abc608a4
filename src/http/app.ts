// Types only: schemas may say what OpenAPI says (summary, security, hide).
/// <reference types="@fastify/swagger" />
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify';

import type { Store } from '../store.ts';
import { logAnswer, logAnswers } from './access-log.ts';
import { answerClientError, answerForNode } from './connection-errors.ts';
import { registerCors } from './cors.ts';
import { registerDocs } from './docs.ts';
import { HttpFailure, sendFailure, unavailable } from './failures.ts';
import { registerHealth } from './health.ts';
import { collectPaths, refuseOtherMethods } from './method-not-allowed.ts';
import { rateLimit } from './rate-limit.ts';
import { hasEmptyParameter, headerBytesMax, originForm, requireWellFormed } from './request-checks.ts';
import { requestId } from './request-id.ts';
import { setStandingHeaders } from './response-headers.ts';
import type { SharedCounts } from './shared-counts.ts';
import { registerV2 } from './v2/index.ts';

export interface HttpSettings {
  /** Requests a minute for each key; 0 is no limit. */
  rateLimit: number;
  /** Origins that browsers may call from; none switches CORS off. */
  corsOrigins: readonly string[];
  /** CIDRs of proxies whose X-Forwarded-For counts. */
  trustProxy: readonly string[];
}

export interface AppOptions {
  loggerInstance?: NonNullable<FastifyServerOptions['loggerInstance']>;
  /** For what must see every route: the OpenAPI document, the metrics. */
  beforeRoutes?: (app: FastifyInstance) => void;
  /** Where several processes count together for the rate limit; stays its owner's to close. */
  sharedCounts?: SharedCounts;
}

const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
const handlerTimeoutMs = 5_000;
const timeoutsCheckedEveryMs = 5_000;

/** The whole server on a store, which stays its owner's to close. It listens, or takes `inject`. */
export function buildApp(
  store: Store,
  settings: HttpSettings,
  { loggerInstance, beforeRoutes, sharedCounts }: AppOptions = {},
): FastifyInstance {
  let stopping = false;
  const app: FastifyInstance = Fastify({
    ...(loggerInstance && { loggerInstance }),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestId,
    trustProxy: settings.trustProxy.length > 0 && [...settings.trustProxy],
    requestTimeout: requestTimeoutMs,
    handlerTimeout: handlerTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // A path has at most 2 KiB, so no parameter reaches this, and Fastify never answers for us.
    routerOptions: { maxParamLength: headerBytesMax },
    ajv: { customOptions: { coerceTypes: false, allErrors: true, keywords: ['x-expected', 'headers'] } },
    http: {
      maxHeaderSize: headerBytesMax,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: timeoutsCheckedEveryMs,
      requireHostHeader: false,
    },
    rewriteUrl: ({ url }) => originForm(url ?? '/'),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, app.log),
    frameworkErrors: (error, request, reply) => {
      setStandingHeaders(reply, request.id);
      sendFailure(error, request, reply);
      logAnswer(request, reply);
    },
  });
  answerForNode(app.server, app.log);
  app.decorateRequest('caller', null);
  app.setErrorHandler(sendFailure);
  app.setNotFoundHandler((request, reply) => sendFailure(new HttpFailure('not_found'), request, reply));

  app.addHook('preClose', async () => {
    stopping = true;
  });
  app.addHook('onRequest', async (request, reply) => {
    setStandingHeaders(reply, request.id);
    requireWellFormed(request);
    if (request.is404 || hasEmptyParameter(request)) throw new HttpFailure('not_found');
    if (stopping && request.routeOptions.url !== '/livez') throw unavailable();
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    // Else a kept-alive connection would hold up the stop after its last answer.
    if (stopping) reply.header('connection', 'close');
    return payload;
  });
  logAnswers(app);
  beforeRoutes?.(app);
  const paths = collectPaths(app);
  registerCors(app, settings.corsOrigins);

  app.register(async (scope) => {
    registerHealth(scope, store, () => stopping);
    registerDocs(scope);
  });
  registerV2(app, store, rateLimit(settings.rateLimit, sharedCounts));
  refuseOtherMethods(app, paths);
  return app;
}
