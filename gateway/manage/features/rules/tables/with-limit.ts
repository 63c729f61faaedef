/** What later tables and rules may ask that only the tables know. */
export function withLimit(facts: Record<string, unknown>, limit: unknown): Record<string, unknown> {
  if (typeof limit !== 'number' || !Number.isFinite(limit)) return facts
  const whole = Math.floor(limit)
  const { amount } = facts
  return {
    ...facts,
    limit: whole,
    ...(typeof amount === 'number' && { amountAboveLimit: Math.max(0, amount - whole) }),
  }
}
