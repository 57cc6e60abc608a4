/** Fastify with the same constant answer. */
import Fastify from 'fastify';

import { contactAnswer } from './constant.ts';

const app = Fastify();
app.get('/v2/chatbots/:chatbotId/contacts/:contactId', (_request, reply) => {
  void reply.type('application/json; charset=utf-8').send(contactAnswer);
});
console.log(`listening at ${await app.listen({ port: 0, host: '127.0.0.1' })}"`);
