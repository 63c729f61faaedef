/** What other features may use of collection. */
export { StopForm } from './desk/CaseForms.tsx'
export { RulesChange } from './rules/RulesChange.tsx'
