/**
 * The message of a failed call. The session sets the one function that knows problem ids; without
 * it the error's own message is used.
 */
let words = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export function setFailureText(textOf: (error: unknown) => string): void {
  words = textOf
}

export function failureText(error: unknown): string {
  return words(error)
}
