// The public entry of the HTTP code that Studio and the cloud share.
export { createApp, type Fallback, type LogLine, requestIdOf } from './app.js';
export { readJson, readOptionalJson, UPLOAD_LIMIT } from './body.js';
export { onUndelivered } from './connection-end.js';
export { errorData, errorResponse, isUnexpected, shorten, unknownUrl, wrongMethod } from './errors.js';
export {
  chunkEvents,
  type EventMessage,
  type EventWriter,
  encodeEvents,
  eventStream,
  STREAM_TIMES,
  type StreamTimes,
  streamResponse,
} from './event-stream.js';
export { BAD_PORT, isBadPort, listen, PortTakenError } from './listen.js';
export { type Connection, findPeerUser, socketOf } from './peer-user.js';
export { receiveForm } from './receive-form.js';
export { isKnownTag, knownTags, readCursor } from './request-headers.js';
export type { Handler, Handlers, RouteInput } from './route-handler.js';
