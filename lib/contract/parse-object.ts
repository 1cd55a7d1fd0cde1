// The data of an event. What is no object has no fields to read.

export function parseObject(data: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(data);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
