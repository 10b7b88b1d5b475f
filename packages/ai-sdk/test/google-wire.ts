/**
 * Answers of Gemini's `streamGenerateContent?alt=sse`: whole parts, with `thoughtSignature` beside a function call
 * (ai.google.dev/gemini-api/docs/thought-signatures).
 */
import { events } from './wire-server.js'

/** The events of one answer: one for each list of parts, the last with the finish reason and the usage. */
export function googleEvents(parts: readonly (readonly unknown[])[], finishReason: string): string[] {
  return events(
    parts.map((list, index) => ({
      candidates: [
        {
          content: { role: 'model', parts: list },
          index: 0,
          ...(index === parts.length - 1 && { finishReason }),
        },
      ],
      responseId: 'response-1',
      modelVersion: 'gemini-test',
      usageMetadata: {
        promptTokenCount: 100,
        cachedContentTokenCount: 40,
        candidatesTokenCount: 15,
        thoughtsTokenCount: 5,
        totalTokenCount: 120,
      },
    })),
  )
}
