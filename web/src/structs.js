// How the structs of the C interface, whose fields are in layouts.js, lie in the memory of WebAssembly, where a pointer
// has 4 bytes.

/** Size and alignment in bytes. A "threshold" is a u64 that uses all of its bits, and is read as a BigInt. */
const SIZES = /** @type {const} */ ({
  u32: [4, 4],
  i32: [4, 4],
  u64: [8, 8],
  f64: [8, 8],
  pointer: [4, 4],
  threshold: [8, 8],
  hash: [32, 1],
  hash8: [8, 1],
});

/** @typedef {keyof typeof SIZES} FieldType */

/**
 * The positions of the fields of a struct, in bytes from its beginning.
 * @template {Record<string, FieldType>} Fields
 * @typedef {{ fields: Fields, offsets: Record<keyof Fields, number>, size: number }} Struct
 */

/**
 * Computes the layout of fields by the rules of C.
 * @template {Record<string, FieldType>} Fields
 * @param {Fields} fields
 * @returns {Struct<Fields>}
 */
export function layout(fields) {
  let at = 0;
  let largest = 1;
  const offsets = /** @type {Record<keyof Fields, number>} */ ({});
  for (const name of /** @type {(keyof Fields)[]} */ (Object.keys(fields))) {
    const [size, alignment] = SIZES[fields[name]];
    at = Math.ceil(at / alignment) * alignment;
    offsets[name] = at;
    at += size;
    largest = Math.max(largest, alignment);
  }
  return { fields, offsets, size: Math.ceil(at / largest) * largest };
}

/**
 * The JavaScript type of a field.
 * @template {FieldType} Type
 * @typedef {Type extends "threshold" ? bigint : Type extends "hash" | "hash8" ? string : number} ValueOf
 */

/**
 * Reads all fields of a struct.
 * @template {Record<string, FieldType>} Fields
 * @param {Struct<Fields>} struct
 * @param {DataView} memory
 * @param {number} at
 * @returns {{ [Name in keyof Fields]: ValueOf<Fields[Name]> }}
 */
export function readStruct(struct, memory, at) {
  /** @type {Record<string, unknown>} */
  const values = {};
  for (const [name, type] of Object.entries(struct.fields))
    values[name] = read(type, memory, at + struct.offsets[name]);
  return /** @type {any} */ (values);
}

/**
 * @param {FieldType} type
 * @param {DataView} memory
 * @param {number} at
 */
function read(type, memory, at) {
  switch (type) {
    case "i32":
      return memory.getInt32(at, true);
    case "u64":
      return Number(memory.getBigUint64(at, true));
    case "f64":
      return memory.getFloat64(at, true);
    case "threshold":
      return memory.getBigUint64(at, true);
    case "hash":
    case "hash8":
      return Array.from({ length: SIZES[type][0] }, (_, i) =>
        memory
          .getUint8(at + i)
          .toString(16)
          .padStart(2, "0"),
      ).join("");
    default:
      return memory.getUint32(at, true);
  }
}

/**
 * Writes some fields of a struct.
 * @template {Record<string, FieldType>} Fields
 * @param {Struct<Fields>} struct
 * @param {DataView} memory
 * @param {number} at
 * @param {{ [Name in keyof Fields]?: number | bigint | undefined }} values fields that are undefined do not change
 */
export function writeStruct(struct, memory, at, values) {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const where = at + struct.offsets[name];
    const type = struct.fields[name];
    if (type === "f64") memory.setFloat64(where, Number(value), true);
    else if (type === "u64" || type === "threshold") memory.setBigUint64(where, BigInt(value), true);
    else memory.setUint32(where, Number(value), true);
  }
}
