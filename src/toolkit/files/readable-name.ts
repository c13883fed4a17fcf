/** A name with a line break or another control character would look like several entries. */
// oxlint-disable-next-line no-control-regex
export const readableName = (name: string): string => (/[\u0000-\u001f\u007f-\u009f]/.test(name) ? JSON.stringify(name) : name)
