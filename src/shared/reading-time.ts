/** Programs answer for people. One that answers a question sooner than a person can read it has not asked one. */
export const READING_MS = 700;
