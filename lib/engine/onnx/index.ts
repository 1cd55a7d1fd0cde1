// Serializes a graph as an ONNX model. Weights in files become external data: a file, an offset and a length.

import { dirname, relative, sep } from 'node:path';
import {
  type Attribute,
  type Constant,
  type Dimension,
  type Graph,
  type GraphNode,
  ONNX_TYPE,
  type Tensor,
} from '../graph/index.js';

const IR_VERSION = 10;
const OPSETS = [
  ['', 20],
  ['com.microsoft', 1],
] as const;
const ATTRIBUTE_TYPE = { float: 1, int: 2, string: 3, graph: 5, ints: 7 } as const;
const EXTERNAL = 1;

/** The bytes of a model. Weight files are relative to `weightsFolder`, which the runtime receives separately. */
export function toOnnx(graph: Graph): Uint8Array {
  const model = new Message()
    .int(1, IR_VERSION)
    .string(2, 'svc')
    .message(7, toGraph(graph, weightsFolder(graph)));
  for (const [domain, version] of OPSETS) model.message(8, new Message().string(1, domain).int(2, version));
  return model.toBytes();
}

/** The deepest folder that contains all weight files; null if there are none. */
export function weightsFolder({ constants }: Graph): string | null {
  const folders = constants.flatMap(({ source }) => ('file' in source ? [dirname(source.file)] : []));
  return folders.length === 0 ? null : folders.reduce(commonFolder);
}

function commonFolder(a: string, b: string): string {
  let folder = a;
  while (folder !== dirname(folder) && relative(folder, b).startsWith('..')) folder = dirname(folder);
  return folder;
}

function toGraph({ nodes, inputs, outputs, constants, computed }: Graph, folder: string | null): Message {
  const message = new Message();
  for (const node of inOrderOfUse({ nodes, outputs })) message.message(1, toNode(node));
  message.string(2, 'svc');
  for (const constant of constants) message.message(5, toInitializer(constant, folder ?? ''));
  for (const tensor of inputs) message.message(11, toValueInfo(tensor));
  for (const tensor of outputs) message.message(12, toValueInfo(tensor));
  // Without these, the runtime loses named dimensions and does not plan to reuse memory.
  for (const tensor of computed?.values() ?? []) message.message(13, toValueInfo(tensor));
  return message;
}

function toNode({ op, domain, inputs, outputs, attributes }: GraphNode): Message {
  const message = new Message();
  for (const name of inputs) message.string(1, name);
  for (const name of outputs) message.string(2, name);
  message.string(3, outputs[0] ?? '').string(4, op);
  for (const [name, value] of Object.entries(attributes)) message.message(5, toAttribute(name, value));
  return message.string(7, domain);
}

function toAttribute(name: string, value: Attribute): Message {
  const message = new Message().string(1, name);
  if (typeof value === 'number') return message.int(3, value).int(20, ATTRIBUTE_TYPE.int);
  if (typeof value === 'string') return message.string(4, value).int(20, ATTRIBUTE_TYPE.string);
  if ('float' in value) return message.float(2, value.float).int(20, ATTRIBUTE_TYPE.float);
  if ('graph' in value) return message.message(6, toGraph(value.graph, null)).int(20, ATTRIBUTE_TYPE.graph);
  for (const entry of value) message.int(8, entry);
  return message.int(20, ATTRIBUTE_TYPE.ints);
}

function toInitializer({ tensor: { name, dtype, shape }, source }: Constant, folder: string): Message {
  const message = new Message();
  for (const length of shape) message.int(1, length);
  message.int(2, ONNX_TYPE[dtype]).string(8, name);
  if ('bytes' in source) return message.bytes(9, source.bytes);
  const externalData = {
    location: relative(folder, source.file).split(sep).join('/'),
    offset: source.offset,
    length: source.length,
  };
  for (const [key, value] of Object.entries(externalData)) {
    message.message(13, new Message().string(1, key).string(2, String(value)));
  }
  return message.int(14, EXTERNAL);
}

function toValueInfo({ name, dtype, shape }: Tensor): Message {
  const dimensions = new Message();
  for (const length of shape) dimensions.message(1, toDimension(length));
  const tensorType = new Message().int(1, ONNX_TYPE[dtype]).message(2, dimensions);
  return new Message().string(1, name).message(2, new Message().message(1, tensorType));
}

/** A dimension: a length, or a name if it is dynamic. */
function toDimension(length: Dimension): Message {
  return typeof length === 'number' ? new Message().int(1, length) : new Message().string(2, length);
}

/**
 * The runtime starts with the last result and everything that it needs. So results come last and in reverse order: each is
 * then computed as early as possible, while its inputs are still in the cache, and they can be freed. For example, the
 * gradients of a layer come before those of the layers below it.
 */
function inOrderOfUse({ nodes, outputs }: Pick<Graph, 'nodes' | 'outputs'>): GraphNode[] {
  const names = new Set(outputs.map(({ name }) => name));
  const isOutput = (node: GraphNode) => node.outputs.some(name => names.has(name));
  const used = new Set(nodes.flatMap(node => (isOutput(node) ? [] : node.inputs)));
  const isResult = (node: GraphNode) => !node.outputs.some(name => used.has(name));
  const results = nodes.filter(isResult);
  return [
    ...nodes.filter(node => !isResult(node)),
    ...results.filter(node => !isOutput(node)).toReversed(),
    ...results.filter(isOutput),
  ];
}

const encoder = new TextEncoder();

/** The parts of protobuf that an ONNX model uses. */
class Message {
  #bytes = new Uint8Array(64);
  #length = 0;

  /** An int64: negative numbers are written in two's complement. */
  int(field: number, value: number | bigint): this {
    return this.#varint(field << 3).#varint(value);
  }

  float(field: number, value: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    return this.#varint((field << 3) | 5).#push(bytes);
  }

  bytes(field: number, value: Uint8Array): this {
    return this.#varint((field << 3) | 2)
      .#varint(value.byteLength)
      .#push(value);
  }

  string(field: number, value: string): this {
    return this.bytes(field, encoder.encode(value));
  }

  message(field: number, value: Message): this {
    return this.bytes(field, value.#bytes.subarray(0, value.#length));
  }

  toBytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #varint(value: number | bigint): this {
    this.#reserve(10);
    if (typeof value === 'bigint' || value < 0 || value > 0x7fffffff) return this.#longVarint(BigInt(value));
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.#length++] = rest;
    return this;
  }

  #longVarint(value: bigint): this {
    let rest = BigInt.asUintN(64, value);
    for (; rest > 0x7fn; rest >>= 7n) this.#bytes[this.#length++] = Number(rest & 0x7fn) | 0x80;
    this.#bytes[this.#length++] = Number(rest);
    return this;
  }

  #push(bytes: Uint8Array): this {
    this.#reserve(bytes.byteLength);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.byteLength;
    return this;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
