/** Fills an empty installation with the demo; says what it does through `say`. */
export const loadDemo = async (_ownerUrl: string, _say: (text: string) => void): Promise<void> => {}
