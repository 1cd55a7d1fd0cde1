// The public entry of the HTTP plumbing that Studio and the cloud share.
export { createApp, type Fallback, type LogLine } from './app.js';
export { BAD_PORT, isBadPort } from './bad-ports.js';
export { readJson, UPLOAD_LIMIT } from './body.js';
export { onUndelivered } from './delivery.js';
export { errorData, errorResponse } from './error-response.js';
export { type EventWriter, encodeEvents, eventStream } from './event-stream.js';
export { type Listening, listen, PortTakenError } from './listen.js';
export { receiveForm } from './multipart/receive-form.js';
export { unknownUrl, wrongMethod } from './no-route.js';
export { type Connection, findPeerUser, socketOf } from './peer-user.js';
export { isKnownTag, knownTags, readCursor } from './request-headers.js';
export type { Handler, Handlers, RouteInput } from './route-handler.js';
export { comesWithin, STREAM_TIMES, type StreamTimes } from './stream-times.js';
