/** Size of the first request: what a model is sent before the person has said anything. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { systemPrompt, toolPrompts } from '../../src/core/agent/prompt.ts';
import { filterToolsByPolicy } from '../../src/core/policy/profiles.ts';
import { buildBody } from '../../src/providers/openai-chat/body.ts';
import { quirksOf } from '../../src/providers/openai-chat/quirks.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { defaultPolicy } from './parts.ts';
import { report, type Row } from './rows.ts';

const system = systemPrompt({ folders: ['/home/person/project'], platform: 'linux', trusted: true });

function row(profile: 'coding' | 'minimal'): Row {
  const policy = { ...defaultPolicy, settings: { ...defaultPolicy.settings, profile } };
  const tools = toolPrompts(filterToolsByPolicy(TOOLS, { policy, channel: 'editor' }));
  const body = buildBody('model', { system, messages: [], tools }, { ...quirksOf('model', undefined), askForUsage: true, streamsReasoning: false }, undefined);
  return {
    what: `First request, ${tools.length} tools (profile ${profile})`, measured: { value: countTokens(JSON.stringify(body)), unit: 'tokens' },
    baseline: { what: 'its instruction alone, without tools', value: countTokens(system), unit: 'tokens' },
  };
}

report([row('coding'), row('minimal')]);
