import type { LanguageModelV2, LanguageModelV2StreamPart } from '@ai-sdk/provider-v2'
import type { LanguageModelV3, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider-v4'
import type { ToolSet } from 'ai'
import type { ToolSet as ToolSetV7 } from 'ai-v7'
import { expectTypeOf, it } from 'vitest'
import type { AiSdkTool } from './ai-sdk-tool.js'
import type { AiSdkModel } from './sdk-model.js'
import type { StreamPart } from './stream-part.js'

it('takes the models of all versions', () => {
  expectTypeOf<LanguageModelV2>().toExtend<AiSdkModel>()
  expectTypeOf<LanguageModelV3>().toExtend<AiSdkModel>()
  expectTypeOf<LanguageModelV4>().toExtend<AiSdkModel>()
})

it('knows the parts of all versions', () => {
  expectTypeOf<LanguageModelV2StreamPart>().toExtend<StreamPart>()
  expectTypeOf<LanguageModelV3StreamPart>().toExtend<StreamPart>()
  expectTypeOf<LanguageModelV4StreamPart>().toExtend<StreamPart>()
})

it('makes tools that the AI SDK takes', () => {
  expectTypeOf<Record<string, AiSdkTool>>().toExtend<ToolSet>()
  expectTypeOf<Record<string, AiSdkTool>>().toExtend<ToolSetV7>()
})
