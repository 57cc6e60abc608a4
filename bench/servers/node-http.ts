/** The limit of what a Node program can do: a constant answer, of a contact's size unless another is given. */
import { createServer } from 'node:http';

import { contactAnswer } from './constant.ts';

const body = Buffer.from(process.argv[2] ?? contactAnswer);
const server = createServer((_request, response) => {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`listening at http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}"`);
});
