import Type from 'typebox'

/** Name of an advertising campaign; without a comma, because filters join several values by it. */
export const Campaign = () =>
  Type.String({ minLength: 1, maxLength: 60, pattern: '^[^,\\s]([^,]*[^,\\s])?$' })
