/** No message is nested deeper. */
export const DEEPEST = 64;

/** Of brackets outside of strings; counted before anything is built. */
export function depthOf(json: string): number {
  let [depth, deepest, inString] = [0, 0, false];
  for (let at = 0; at < json.length; at++) {
    const letter = json[at];
    if (inString) {
      if (letter === '\\') at += 1;
      else if (letter === '"') inString = false;
    } else if (letter === '"') inString = true;
    else if (letter === '{' || letter === '[') deepest = Math.max(deepest, ++depth);
    else if (letter === '}' || letter === ']') depth -= 1;
  }
  return deepest;
}
