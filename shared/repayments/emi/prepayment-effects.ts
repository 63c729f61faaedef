/** What principal paid ahead of the plan changes. Apart from the plan, which contracts do not load. */
export const PREPAYMENT_EFFECTS = ['fewerInstalments', 'lowerInstalments'] as const
export type PrepaymentEffect = (typeof PREPAYMENT_EFFECTS)[number]
