/** What other features may use of the rules without loading the condition texts. */
export { ruleName, tableName } from './shipped-words.ts'
