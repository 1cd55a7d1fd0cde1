// Loaded into every process of a hard run, with --import: each of its HTTP servers learns of a request up to
// SVC_TEST_LATE_MS late, by chance. Not those of HTTPS, whose connections cannot be held. SVC_TEST_SEED repeats the draw.
import { Server } from 'node:http';

const { setTimeout } = globalThis;
const most = Number(process.env.SVC_TEST_LATE_MS);
let state = (Number(process.env.SVC_TEST_SEED) ^ process.pid) >>> 0;

/** Between 0 and 1 (mulberry32). */
function draw() {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

/** What is late on each connection: one event after the other, as they came. */
const late = new WeakMap();

// As in a busy process, a server learns of nothing else on the connection meanwhile, neither of its end nor of its loss:
// Node.js emits a request as soon as it has read it, and servers rely on hearing of it first.
function hold(socket) {
  // Node.js's server then keeps it paused, and its parser, too.
  socket._paused = true;
  socket.pause();
}

function release(socket) {
  socket._paused = false;
  socket.parser?.resume();
  socket.resume();
}

function emitLate(socket, emitNow) {
  const queue = late.get(socket);
  if (queue) return void queue.push(emitNow);
  const held = [emitNow];
  late.set(socket, held);
  hold(socket);
  const emitNext = () => {
    // Its own process may have closed it before it learned of the request.
    if (!socket.destroyed) held.shift()();
    if (held.length > 0 && !socket.destroyed) return void setTimeout(emitNext, draw() * most);
    late.delete(socket);
    if (!socket.destroyed) release(socket);
  };
  setTimeout(emitNext, draw() * most);
}

const REQUEST = ['request', 'checkContinue', 'checkExpectation'];

const { emit } = Server.prototype;
Server.prototype.emit = function (event, ...args) {
  const emitNow = () => emit.call(this, event, ...args);
  const socket = REQUEST.includes(event) ? args[0].socket : event === 'clientError' ? args[1] : null;
  if (!socket || (event === 'clientError' && !late.has(socket))) return emitNow();
  emitLate(socket, emitNow);
  return this.listenerCount(event) > 0;
};
