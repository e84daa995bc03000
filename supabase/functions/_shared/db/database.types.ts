
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  
  "public": {
          Tables: {
            "accounts": {
                  Row: {
                    "adult_confirmed_at": string,"approved_at": string | null,"approved_by": string | null,"email": string,"phone_number": string,"read_only_reason": string | null,"suspended_at": string | null,"suspended_until": string | null,"suspension_case": string | null,"suspension_reason": string | null,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "adult_confirmed_at": string,"approved_at"?: string | null,"approved_by"?: string | null,"email": string,"phone_number": string,"read_only_reason"?: string | null,"suspended_at"?: string | null,"suspended_until"?: string | null,"suspension_case"?: string | null,"suspension_reason"?: string | null,"user_id": string
                  }
                  Update: {
                    "adult_confirmed_at"?: string,"approved_at"?: string | null,"approved_by"?: string | null,"email"?: string,"phone_number"?: string,"read_only_reason"?: string | null,"suspended_at"?: string | null,"suspended_until"?: string | null,"suspension_case"?: string | null,"suspension_reason"?: string | null,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "accounts_user_id_fkey"
      columns: ["user_id"]
isOneToOne: true
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"audit_entries": {
                  Row: {
                    "action": string,"actor_id": string,"change": NonNullable<Json>,"created_at": string,"hash": string,"id": number,"previous_hash": string,"subject": string | null,"target_id": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "action": string,"actor_id": string,"change"?: NonNullable<Json>,"created_at"?: string,"hash": string,"id"?: never,"previous_hash": string,"subject"?: string | null,"target_id"?: string | null
                  }
                  Update: {
                    "action"?: string,"actor_id"?: string,"change"?: NonNullable<Json>,"created_at"?: string,"hash"?: string,"id"?: never,"previous_hash"?: string,"subject"?: string | null,"target_id"?: string | null
                  }
                  Relationships: [
                    
                  ]
                },"auto_drafts": {
                  Row: {
                    "content": string,"created_at": string,"decided_at": string | null,"id": string,"state": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "content": string,"created_at"?: string,"decided_at"?: string | null,"id"?: string,"state"?: string,"user_id": string
                  }
                  Update: {
                    "content"?: string,"created_at"?: string,"decided_at"?: string | null,"id"?: string,"state"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "auto_drafts_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"auto_runs": {
                  Row: {
                    "answer": string | null,"calls": number,"cost_micros": number,"counted_on": string,"day": string | null,"detail": string | null,"draft_id": string | null,"ended_at": string | null,"id": string,"input_tokens": number,"kind": string,"model": string,"nth": number | null,"outcome": string | null,"output_tokens": number,"post_id": string | null,"prompt": Json | null,"started_at": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "answer"?: string | null,"calls"?: number,"cost_micros"?: number,"counted_on": string,"day"?: string | null,"detail"?: string | null,"draft_id"?: string | null,"ended_at"?: string | null,"id"?: string,"input_tokens"?: number,"kind": string,"model": string,"nth"?: number | null,"outcome"?: string | null,"output_tokens"?: number,"post_id"?: string | null,"prompt"?: Json | null,"started_at"?: string,"user_id": string
                  }
                  Update: {
                    "answer"?: string | null,"calls"?: number,"cost_micros"?: number,"counted_on"?: string,"day"?: string | null,"detail"?: string | null,"draft_id"?: string | null,"ended_at"?: string | null,"id"?: string,"input_tokens"?: number,"kind"?: string,"model"?: string,"nth"?: number | null,"outcome"?: string | null,"output_tokens"?: number,"post_id"?: string | null,"prompt"?: Json | null,"started_at"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "auto_runs_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"blocks": {
                  Row: {
                    "blocked_id": string,"blocker_id": string,"created_at": string
                  }
                  ComputedFields: never
                  Insert: {
                    "blocked_id": string,"blocker_id"?: string,"created_at"?: string
                  }
                  Update: {
                    "blocked_id"?: string,"blocker_id"?: string,"created_at"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "blocks_blocked_id_fkey"
      columns: ["blocked_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "blocks_blocker_id_fkey"
      columns: ["blocker_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"comments": {
                  Row: {
                    "author_id": string | null,"content": string,"created_at": string,"hidden": string | null,"id": string,"parent_comment_id": string | null,"post_id": string,"replies_count": number
                  }
                  ComputedFields: never
                  Insert: {
                    "author_id"?: string | null,"content": string,"created_at"?: string,"hidden"?: string | null,"id"?: string,"parent_comment_id"?: string | null,"post_id": string,"replies_count"?: number
                  }
                  Update: {
                    "author_id"?: string | null,"content"?: string,"created_at"?: string,"hidden"?: string | null,"id"?: string,"parent_comment_id"?: string | null,"post_id"?: string,"replies_count"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "comments_author_id_fkey"
      columns: ["author_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "comments_parent_comment_id_fkey"
      columns: ["parent_comment_id"]
isOneToOne: false
      referencedRelation: "comments"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "comments_post_id_fkey"
      columns: ["post_id"]
isOneToOne: false
      referencedRelation: "posts"
      referencedColumns: ["id"]
    }
                  ]
                },"conversation_members": {
                  Row: {
                    "conversation_id": string,"has_written": boolean,"last_message_at": string,"last_message_id": string | null,"last_read_seq": number,"other_id": string,"unread_count": number,"unread_since": string | null,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "conversation_id": string,"has_written"?: boolean,"last_message_at"?: string,"last_message_id"?: string | null,"last_read_seq"?: number,"other_id": string,"unread_count"?: number,"unread_since"?: string | null,"user_id": string
                  }
                  Update: {
                    "conversation_id"?: string,"has_written"?: boolean,"last_message_at"?: string,"last_message_id"?: string | null,"last_read_seq"?: number,"other_id"?: string,"unread_count"?: number,"unread_since"?: string | null,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "conversation_members_conversation_id_fkey"
      columns: ["conversation_id"]
isOneToOne: false
      referencedRelation: "conversations"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "conversation_members_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"conversations": {
                  Row: {
                    "created_at": string,"id": string,"last_change": number,"last_seq": number,"user_high": string,"user_low": string
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"id"?: string,"last_change"?: number,"last_seq"?: number,"user_high": string,"user_low": string
                  }
                  Update: {
                    "created_at"?: string,"id"?: string,"last_change"?: number,"last_seq"?: number,"user_high"?: string,"user_low"?: string
                  }
                  Relationships: [
                    
                  ]
                },"creator_balances": {
                  Row: {
                    "person_id": string,"total_cents": number
                  }
                  ComputedFields: never
                  Insert: {
                    "person_id": string,"total_cents"?: number
                  }
                  Update: {
                    "person_id"?: string,"total_cents"?: number
                  }
                  Relationships: [
                    
                  ]
                },"creator_days": {
                  Row: {
                    "comments": number,"creator_id": string,"day": string,"followers": number,"likes": number,"subscribers": number,"views": number
                  }
                  ComputedFields: never
                  Insert: {
                    "comments"?: number,"creator_id": string,"day": string,"followers"?: number,"likes"?: number,"subscribers"?: number,"views"?: number
                  }
                  Update: {
                    "comments"?: number,"creator_id"?: string,"day"?: string,"followers"?: number,"likes"?: number,"subscribers"?: number,"views"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "creator_days_creator_id_fkey"
      columns: ["creator_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"creator_goals": {
                  Row: {
                    "monthly_cents": number,"subscribers": number,"user_id": string,"yearly_cents": number
                  }
                  ComputedFields: never
                  Insert: {
                    "monthly_cents"?: number,"subscribers"?: number,"user_id": string,"yearly_cents"?: number
                  }
                  Update: {
                    "monthly_cents"?: number,"subscribers"?: number,"user_id"?: string,"yearly_cents"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "creator_goals_user_id_fkey"
      columns: ["user_id"]
isOneToOne: true
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"creator_hours": {
                  Row: {
                    "creator_id": string,"day": string,"hour": number,"views": number
                  }
                  ComputedFields: never
                  Insert: {
                    "creator_id": string,"day": string,"hour": number,"views"?: number
                  }
                  Update: {
                    "creator_id"?: string,"day"?: string,"hour"?: number,"views"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "creator_hours_creator_id_fkey"
      columns: ["creator_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"creator_plans": {
                  Row: {
                    "cancelled_at": string | null,"created_at": string,"ended_at": string | null,"id": string,"period_end": string | null,"periods": number,"price_cents": number,"provider_knows": string,"provider_reference": string | null,"renewal_begun_at": string | null,"started_at": string | null,"state": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "cancelled_at"?: string | null,"created_at"?: string,"ended_at"?: string | null,"id"?: string,"period_end"?: string | null,"periods"?: number,"price_cents": number,"provider_knows"?: string,"provider_reference"?: string | null,"renewal_begun_at"?: string | null,"started_at"?: string | null,"state"?: string,"user_id": string
                  }
                  Update: {
                    "cancelled_at"?: string | null,"created_at"?: string,"ended_at"?: string | null,"id"?: string,"period_end"?: string | null,"periods"?: number,"price_cents"?: number,"provider_knows"?: string,"provider_reference"?: string | null,"renewal_begun_at"?: string | null,"started_at"?: string | null,"state"?: string,"user_id"?: string
                  }
                  Relationships: [
                    
                  ]
                },"earning_days": {
                  Row: {
                    "day": string,"fee_cents": number,"gross_cents": number,"person_id": string,"sales": number,"source": string
                  }
                  ComputedFields: never
                  Insert: {
                    "day": string,"fee_cents"?: number,"gross_cents"?: number,"person_id": string,"sales"?: number,"source": string
                  }
                  Update: {
                    "day"?: string,"fee_cents"?: number,"gross_cents"?: number,"person_id"?: string,"sales"?: number,"source"?: string
                  }
                  Relationships: [
                    
                  ]
                },"follow_requests": {
                  Row: {
                    "created_at": string,"followee_id": string,"follower_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"followee_id": string,"follower_id"?: string
                  }
                  Update: {
                    "created_at"?: string,"followee_id"?: string,"follower_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "follow_requests_followee_id_fkey"
      columns: ["followee_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "follow_requests_follower_id_fkey"
      columns: ["follower_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"follows": {
                  Row: {
                    "created_at": string,"followee_id": string,"follower_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"followee_id": string,"follower_id"?: string
                  }
                  Update: {
                    "created_at"?: string,"followee_id"?: string,"follower_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "follows_followee_id_fkey"
      columns: ["followee_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "follows_follower_id_fkey"
      columns: ["follower_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"gallery_items": {
                  Row: {
                    "created_at": string,"deleted_at": string | null,"description": string | null,"id": string,"media_id": string,"title": string | null,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"deleted_at"?: string | null,"description"?: string | null,"id"?: string,"media_id": string,"title"?: string | null,"user_id": string
                  }
                  Update: {
                    "created_at"?: string,"deleted_at"?: string | null,"description"?: string | null,"id"?: string,"media_id"?: string,"title"?: string | null,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "gallery_items_media_id_fkey"
      columns: ["media_id"]
isOneToOne: false
      referencedRelation: "media"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "gallery_items_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"ledger_entries": {
                  Row: {
                    "account": string,"amount_cents": number,"id": number,"label": string,"person_id": string | null,"transaction_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "account": string,"amount_cents": number,"id"?: never,"label": string,"person_id"?: string | null,"transaction_id": string
                  }
                  Update: {
                    "account"?: string,"amount_cents"?: number,"id"?: never,"label"?: string,"person_id"?: string | null,"transaction_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "ledger_entries_transaction_id_fkey"
      columns: ["transaction_id"]
isOneToOne: false
      referencedRelation: "ledger_transactions"
      referencedColumns: ["id"]
    }
                  ]
                },"ledger_transactions": {
                  Row: {
                    "clears_at": string,"created_at": string,"fee_cents": number,"gross_cents": number,"id": string,"kind": string,"net_cents": number,"payment_id": string | null,"payout_id": string | null,"person_id": string | null,"source": string | null,"written_by": unknown
                  }
                  ComputedFields: never
                  Insert: {
                    "clears_at"?: string,"created_at"?: string,"fee_cents"?: number,"gross_cents"?: number,"id"?: string,"kind": string,"net_cents"?: number,"payment_id"?: string | null,"payout_id"?: string | null,"person_id"?: string | null,"source"?: string | null,"written_by"?: unknown
                  }
                  Update: {
                    "clears_at"?: string,"created_at"?: string,"fee_cents"?: number,"gross_cents"?: number,"id"?: string,"kind"?: string,"net_cents"?: number,"payment_id"?: string | null,"payout_id"?: string | null,"person_id"?: string | null,"source"?: string | null,"written_by"?: unknown
                  }
                  Relationships: [
                    {
      foreignKeyName: "ledger_transactions_payment_id_fkey"
      columns: ["payment_id"]
isOneToOne: false
      referencedRelation: "payments"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "ledger_transactions_payout_id_fkey"
      columns: ["payout_id"]
isOneToOne: false
      referencedRelation: "payouts"
      referencedColumns: ["id"]
    }
                  ]
                },"likes": {
                  Row: {
                    "created_at": string,"post_id": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"post_id": string,"user_id"?: string
                  }
                  Update: {
                    "created_at"?: string,"post_id"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "likes_post_id_fkey"
      columns: ["post_id"]
isOneToOne: false
      referencedRelation: "posts"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "likes_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"media": {
                  Row: {
                    "bytes": number,"content_type": string,"created_at": string,"height": number | null,"id": string,"incoming_path": string | null,"kind": string,"owner_id": string,"path": string,"placeholder": string | null,"state": string,"width": number | null
                  }
                  ComputedFields: never
                  Insert: {
                    "bytes": number,"content_type": string,"created_at"?: string,"height"?: number | null,"id"?: string,"incoming_path"?: string | null,"kind": string,"owner_id": string,"path": string,"placeholder"?: string | null,"state"?: string,"width"?: number | null
                  }
                  Update: {
                    "bytes"?: number,"content_type"?: string,"created_at"?: string,"height"?: number | null,"id"?: string,"incoming_path"?: string | null,"kind"?: string,"owner_id"?: string,"path"?: string,"placeholder"?: string | null,"state"?: string,"width"?: number | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "media_owner_id_fkey"
      columns: ["owner_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"messages": {
                  Row: {
                    "content": string,"conversation_id": string,"created_at": string,"deleted_at": string | null,"edited_at": string | null,"id": string,"media_height": number | null,"media_id": string | null,"media_width": number | null,"placeholder": string | null,"reactions": NonNullable<Json>,"receiver_id": string,"reply_to_id": string | null,"search_text": string,"sender_id": string,"seq": number,"version": number
                  }
                  ComputedFields: never
                  Insert: {
                    "content": string,"conversation_id": string,"created_at"?: string,"deleted_at"?: string | null,"edited_at"?: string | null,"id"?: string,"media_height"?: number | null,"media_id"?: string | null,"media_width"?: number | null,"placeholder"?: string | null,"reactions"?: NonNullable<Json>,"receiver_id": string,"reply_to_id"?: string | null,"search_text"?: never,"sender_id"?: string,"seq": number,"version"?: number
                  }
                  Update: {
                    "content"?: string,"conversation_id"?: string,"created_at"?: string,"deleted_at"?: string | null,"edited_at"?: string | null,"id"?: string,"media_height"?: number | null,"media_id"?: string | null,"media_width"?: number | null,"placeholder"?: string | null,"reactions"?: NonNullable<Json>,"receiver_id"?: string,"reply_to_id"?: string | null,"search_text"?: never,"sender_id"?: string,"seq"?: number,"version"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "messages_conversation_id_fkey"
      columns: ["conversation_id"]
isOneToOne: false
      referencedRelation: "conversations"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "messages_media_id_fkey"
      columns: ["media_id"]
isOneToOne: false
      referencedRelation: "media"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "messages_reply_to_id_fkey"
      columns: ["reply_to_id"]
isOneToOne: false
      referencedRelation: "messages"
      referencedColumns: ["id"]
    }
                  ]
                },"moderation_cases": {
                  Row: {
                    "appeal": string | null,"appeal_answer": string | null,"appeal_decided_at": string | null,"appeal_decided_by": string | null,"appeal_outcome": string | null,"appealed_at": string | null,"created_at": string,"decided_at": string | null,"decided_by": string | null,"decision": string | null,"hid": boolean,"id": string,"kind": string,"media_ids": (string)[],"moved_at": string,"person_id": string,"reason": string | null,"reports": number,"request_id": string | null,"snapshots": NonNullable<Json>,"state": string,"subject_id": string,"suspended_until": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "appeal"?: string | null,"appeal_answer"?: string | null,"appeal_decided_at"?: string | null,"appeal_decided_by"?: string | null,"appeal_outcome"?: string | null,"appealed_at"?: string | null,"created_at"?: string,"decided_at"?: string | null,"decided_by"?: string | null,"decision"?: string | null,"hid"?: boolean,"id"?: string,"kind": string,"media_ids"?: (string)[],"moved_at"?: string,"person_id": string,"reason"?: string | null,"reports"?: number,"request_id"?: string | null,"snapshots"?: NonNullable<Json>,"state"?: string,"subject_id": string,"suspended_until"?: string | null
                  }
                  Update: {
                    "appeal"?: string | null,"appeal_answer"?: string | null,"appeal_decided_at"?: string | null,"appeal_decided_by"?: string | null,"appeal_outcome"?: string | null,"appealed_at"?: string | null,"created_at"?: string,"decided_at"?: string | null,"decided_by"?: string | null,"decision"?: string | null,"hid"?: boolean,"id"?: string,"kind"?: string,"media_ids"?: (string)[],"moved_at"?: string,"person_id"?: string,"reason"?: string | null,"reports"?: number,"request_id"?: string | null,"snapshots"?: NonNullable<Json>,"state"?: string,"subject_id"?: string,"suspended_until"?: string | null
                  }
                  Relationships: [
                    
                  ]
                },"notifications": {
                  Row: {
                    "actor_id": string | null,"comment_id": string | null,"created_at": string,"detail": string | null,"group_id": string,"id": string,"is_head": boolean,"kind": string,"message_id": string | null,"people": number,"post_id": string | null,"read_at": string | null,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "actor_id"?: string | null,"comment_id"?: string | null,"created_at"?: string,"detail"?: string | null,"group_id"?: string,"id"?: string,"is_head"?: boolean,"kind": string,"message_id"?: string | null,"people"?: number,"post_id"?: string | null,"read_at"?: string | null,"user_id": string
                  }
                  Update: {
                    "actor_id"?: string | null,"comment_id"?: string | null,"created_at"?: string,"detail"?: string | null,"group_id"?: string,"id"?: string,"is_head"?: boolean,"kind"?: string,"message_id"?: string | null,"people"?: number,"post_id"?: string | null,"read_at"?: string | null,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "notifications_actor_id_fkey"
      columns: ["actor_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "notifications_comment_id_fkey"
      columns: ["comment_id"]
isOneToOne: false
      referencedRelation: "comments"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "notifications_post_id_fkey"
      columns: ["post_id"]
isOneToOne: false
      referencedRelation: "posts"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "notifications_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"payments": {
                  Row: {
                    "about_post_id": string | null,"amount_cents": number,"created_at": string,"fee_cents": number,"give_back_tried_at": string | null,"given_back_at": string | null,"id": string,"kind": string,"note": string | null,"payee_id": string | null,"payer_id": string,"period_start": string | null,"plan_id": string | null,"post_id": string | null,"provider": string,"provider_reference": string | null,"settled_at": string | null,"state": string,"subscription_id": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "about_post_id"?: string | null,"amount_cents": number,"created_at"?: string,"fee_cents": number,"give_back_tried_at"?: string | null,"given_back_at"?: string | null,"id"?: string,"kind": string,"note"?: string | null,"payee_id"?: string | null,"payer_id": string,"period_start"?: string | null,"plan_id"?: string | null,"post_id"?: string | null,"provider": string,"provider_reference"?: string | null,"settled_at"?: string | null,"state"?: string,"subscription_id"?: string | null
                  }
                  Update: {
                    "about_post_id"?: string | null,"amount_cents"?: number,"created_at"?: string,"fee_cents"?: number,"give_back_tried_at"?: string | null,"given_back_at"?: string | null,"id"?: string,"kind"?: string,"note"?: string | null,"payee_id"?: string | null,"payer_id"?: string,"period_start"?: string | null,"plan_id"?: string | null,"post_id"?: string | null,"provider"?: string,"provider_reference"?: string | null,"settled_at"?: string | null,"state"?: string,"subscription_id"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "payments_plan_id_fkey"
      columns: ["plan_id"]
isOneToOne: false
      referencedRelation: "creator_plans"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "payments_subscription_id_fkey"
      columns: ["subscription_id"]
isOneToOne: false
      referencedRelation: "subscriptions"
      referencedColumns: ["id"]
    }
                  ]
                },"payout_methods": {
                  Row: {
                    "changed_at": string,"created_at": string,"id": string,"is_default": boolean,"masked": string,"name": string,"type": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "changed_at"?: string,"created_at"?: string,"id"?: string,"is_default"?: boolean,"masked": string,"name": string,"type": string,"user_id": string
                  }
                  Update: {
                    "changed_at"?: string,"created_at"?: string,"id"?: string,"is_default"?: boolean,"masked"?: string,"name"?: string,"type"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "payout_methods_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"payout_schedules": {
                  Row: {
                    "next_at": string,"user_id": string,"weekly": boolean
                  }
                  ComputedFields: never
                  Insert: {
                    "next_at"?: string,"user_id": string,"weekly"?: boolean
                  }
                  Update: {
                    "next_at"?: string,"user_id"?: string,"weekly"?: boolean
                  }
                  Relationships: [
                    {
      foreignKeyName: "payout_schedules_user_id_fkey"
      columns: ["user_id"]
isOneToOne: true
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"payouts": {
                  Row: {
                    "amount_cents": number,"created_at": string,"failure": string | null,"id": string,"kind": string,"method_masked": string,"method_name": string,"method_type": string,"person_id": string,"reference": string | null,"settled_at": string | null,"settled_by": string | null,"state": string
                  }
                  ComputedFields: never
                  Insert: {
                    "amount_cents": number,"created_at"?: string,"failure"?: string | null,"id"?: string,"kind": string,"method_masked": string,"method_name": string,"method_type": string,"person_id": string,"reference"?: string | null,"settled_at"?: string | null,"settled_by"?: string | null,"state"?: string
                  }
                  Update: {
                    "amount_cents"?: number,"created_at"?: string,"failure"?: string | null,"id"?: string,"kind"?: string,"method_masked"?: string,"method_name"?: string,"method_type"?: string,"person_id"?: string,"reference"?: string | null,"settled_at"?: string | null,"settled_by"?: string | null,"state"?: string
                  }
                  Relationships: [
                    
                  ]
                },"person_settings": {
                  Row: {
                    "email_notifications": boolean,"group_notifications": boolean,"login_alerts": boolean,"message_sounds": boolean,"new_comments": boolean,"new_followers": boolean,"new_likes": boolean,"payment_alerts": boolean,"push_notifications": boolean,"session_timeout": number | null,"show_last_seen": boolean,"show_online": boolean,"show_typing": boolean,"subscription_updates": boolean,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "email_notifications"?: boolean,"group_notifications"?: boolean,"login_alerts"?: boolean,"message_sounds"?: boolean,"new_comments"?: boolean,"new_followers"?: boolean,"new_likes"?: boolean,"payment_alerts"?: boolean,"push_notifications"?: boolean,"session_timeout"?: number | null,"show_last_seen"?: boolean,"show_online"?: boolean,"show_typing"?: boolean,"subscription_updates"?: boolean,"user_id": string
                  }
                  Update: {
                    "email_notifications"?: boolean,"group_notifications"?: boolean,"login_alerts"?: boolean,"message_sounds"?: boolean,"new_comments"?: boolean,"new_followers"?: boolean,"new_likes"?: boolean,"payment_alerts"?: boolean,"push_notifications"?: boolean,"session_timeout"?: number | null,"show_last_seen"?: boolean,"show_online"?: boolean,"show_typing"?: boolean,"subscription_updates"?: boolean,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "person_settings_user_id_fkey"
      columns: ["user_id"]
isOneToOne: true
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"post_days": {
                  Row: {
                    "author_id": string,"day": string,"post_id": string,"views": number
                  }
                  ComputedFields: never
                  Insert: {
                    "author_id": string,"day": string,"post_id": string,"views"?: number
                  }
                  Update: {
                    "author_id"?: string,"day"?: string,"post_id"?: string,"views"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "post_days_post_id_fkey"
      columns: ["post_id"]
isOneToOne: false
      referencedRelation: "posts"
      referencedColumns: ["id"]
    }
                  ]
                },"post_tags": {
                  Row: {
                    "author_id": string,"created_at": string,"post_id": string,"tag": string
                  }
                  ComputedFields: never
                  Insert: {
                    "author_id": string,"created_at": string,"post_id": string,"tag": string
                  }
                  Update: {
                    "author_id"?: string,"created_at"?: string,"post_id"?: string,"tag"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "post_tags_author_id_fkey"
      columns: ["author_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "post_tags_post_id_fkey"
      columns: ["post_id"]
isOneToOne: false
      referencedRelation: "posts"
      referencedColumns: ["id"]
    }
                  ]
                },"posts": {
                  Row: {
                    "alt_text": string | null,"author_id": string,"comments_count": number,"content": string,"created_at": string,"edited_at": string | null,"hidden": string | null,"id": string,"included_in_subscription": boolean,"is_premium": boolean,"likes_count": number,"made_by": string | null,"media_height": number | null,"media_id": string | null,"media_type": string | null,"media_width": number | null,"placeholder": string | null,"poster_id": string | null,"premium_price": number | null,"product": Json | null,"teaser": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "alt_text"?: string | null,"author_id"?: string,"comments_count"?: number,"content"?: string,"created_at"?: string,"edited_at"?: string | null,"hidden"?: string | null,"id"?: string,"included_in_subscription"?: boolean,"is_premium"?: boolean,"likes_count"?: number,"made_by"?: string | null,"media_height"?: number | null,"media_id"?: string | null,"media_type"?: string | null,"media_width"?: number | null,"placeholder"?: string | null,"poster_id"?: string | null,"premium_price"?: number | null,"product"?: Json | null,"teaser"?: string | null
                  }
                  Update: {
                    "alt_text"?: string | null,"author_id"?: string,"comments_count"?: number,"content"?: string,"created_at"?: string,"edited_at"?: string | null,"hidden"?: string | null,"id"?: string,"included_in_subscription"?: boolean,"is_premium"?: boolean,"likes_count"?: number,"made_by"?: string | null,"media_height"?: number | null,"media_id"?: string | null,"media_type"?: string | null,"media_width"?: number | null,"placeholder"?: string | null,"poster_id"?: string | null,"premium_price"?: number | null,"product"?: Json | null,"teaser"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "posts_author_id_fkey"
      columns: ["author_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "posts_media_id_fkey"
      columns: ["media_id"]
isOneToOne: false
      referencedRelation: "media"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "posts_poster_id_fkey"
      columns: ["poster_id"]
isOneToOne: false
      referencedRelation: "media"
      referencedColumns: ["id"]
    }
                  ]
                },"premium_contents": {
                  Row: {
                    "alt_text": string | null,"author_id": string,"content": string,"media_id": string | null,"post_id": string,"poster_id": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "alt_text"?: string | null,"author_id": string,"content"?: string,"media_id"?: string | null,"post_id": string,"poster_id"?: string | null
                  }
                  Update: {
                    "alt_text"?: string | null,"author_id"?: string,"content"?: string,"media_id"?: string | null,"post_id"?: string,"poster_id"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "premium_contents_author_id_fkey"
      columns: ["author_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "premium_contents_media_id_fkey"
      columns: ["media_id"]
isOneToOne: false
      referencedRelation: "media"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "premium_contents_post_id_fkey"
      columns: ["post_id"]
isOneToOne: true
      referencedRelation: "posts"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "premium_contents_poster_id_fkey"
      columns: ["poster_id"]
isOneToOne: false
      referencedRelation: "media"
      referencedColumns: ["id"]
    }
                  ]
                },"profile_about": {
                  Row: {
                    "age": number | null,"allow_auto_posting": boolean,"approve_auto_posts": boolean,"country": string | null,"facebook_url": string | null,"fanfix_url": string | null,"from_location": string | null,"gender": string | null,"instagram_url": string | null,"lives_in": string | null,"onlyfans_url": string | null,"pinterest_url": string | null,"relationship_status": string | null,"show_age": boolean,"show_from": boolean,"show_gender": boolean,"show_lives_in": boolean,"show_relationship_status": boolean,"show_social_links": boolean,"show_studied_at": boolean,"show_website": boolean,"snapchat_url": string | null,"studied_at": string | null,"tiktok_url": string | null,"twitch_url": string | null,"user_id": string,"website": string | null,"x_url": string | null,"youtube_url": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "age"?: number | null,"allow_auto_posting"?: boolean,"approve_auto_posts"?: boolean,"country"?: string | null,"facebook_url"?: string | null,"fanfix_url"?: string | null,"from_location"?: string | null,"gender"?: string | null,"instagram_url"?: string | null,"lives_in"?: string | null,"onlyfans_url"?: string | null,"pinterest_url"?: string | null,"relationship_status"?: string | null,"show_age"?: boolean,"show_from"?: boolean,"show_gender"?: boolean,"show_lives_in"?: boolean,"show_relationship_status"?: boolean,"show_social_links"?: boolean,"show_studied_at"?: boolean,"show_website"?: boolean,"snapchat_url"?: string | null,"studied_at"?: string | null,"tiktok_url"?: string | null,"twitch_url"?: string | null,"user_id": string,"website"?: string | null,"x_url"?: string | null,"youtube_url"?: string | null
                  }
                  Update: {
                    "age"?: number | null,"allow_auto_posting"?: boolean,"approve_auto_posts"?: boolean,"country"?: string | null,"facebook_url"?: string | null,"fanfix_url"?: string | null,"from_location"?: string | null,"gender"?: string | null,"instagram_url"?: string | null,"lives_in"?: string | null,"onlyfans_url"?: string | null,"pinterest_url"?: string | null,"relationship_status"?: string | null,"show_age"?: boolean,"show_from"?: boolean,"show_gender"?: boolean,"show_lives_in"?: boolean,"show_relationship_status"?: boolean,"show_social_links"?: boolean,"show_studied_at"?: boolean,"show_website"?: boolean,"snapchat_url"?: string | null,"studied_at"?: string | null,"tiktok_url"?: string | null,"twitch_url"?: string | null,"user_id"?: string,"website"?: string | null,"x_url"?: string | null,"youtube_url"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "profile_about_user_id_fkey"
      columns: ["user_id"]
isOneToOne: true
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"profile_counts": {
                  Row: {
                    "followers": number,"following": number,"posts": number,"subscribers": number,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "followers"?: number,"following"?: number,"posts"?: number,"subscribers"?: number,"user_id": string
                  }
                  Update: {
                    "followers"?: number,"following"?: number,"posts"?: number,"subscribers"?: number,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "profile_counts_user_id_fkey"
      columns: ["user_id"]
isOneToOne: true
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"profile_details": {
                  Row: {
                    "background_image_url": string | null,"bio": string | null,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "background_image_url"?: string | null,"bio"?: string | null,"user_id": string
                  }
                  Update: {
                    "background_image_url"?: string | null,"bio"?: string | null,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "profile_details_user_id_fkey"
      columns: ["user_id"]
isOneToOne: true
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"profiles": {
                  Row: {
                    "allow_direct_messages": boolean,"content_discoverable": boolean,"created_at": string,"first_name": string | null,"full_name": string,"id": string,"is_admin": boolean,"is_creator": boolean,"last_name": string | null,"profile_image_url": string | null,"search_name": string,"search_text": string,"search_words": unknown,"show_follower_count": boolean,"show_in_directory": boolean,"username": string,"visibility": string
                  }
                  ComputedFields: never
                  Insert: {
                    "allow_direct_messages"?: boolean,"content_discoverable"?: boolean,"created_at"?: string,"first_name"?: string | null,"full_name": string,"id": string,"is_admin"?: boolean,"is_creator"?: boolean,"last_name"?: string | null,"profile_image_url"?: string | null,"search_name"?: never,"search_text"?: never,"search_words"?: never,"show_follower_count"?: boolean,"show_in_directory"?: boolean,"username": string,"visibility"?: string
                  }
                  Update: {
                    "allow_direct_messages"?: boolean,"content_discoverable"?: boolean,"created_at"?: string,"first_name"?: string | null,"full_name"?: string,"id"?: string,"is_admin"?: boolean,"is_creator"?: boolean,"last_name"?: string | null,"profile_image_url"?: string | null,"search_name"?: never,"search_text"?: never,"search_words"?: never,"show_follower_count"?: boolean,"show_in_directory"?: boolean,"username"?: string,"visibility"?: string
                  }
                  Relationships: [
                    
                  ]
                },"reports": {
                  Row: {
                    "case_id": string,"created_at": string,"decided_at": string | null,"id": string,"kind": string,"note": string | null,"outcome": string | null,"reason": string,"reporter_id": string,"subject_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "case_id": string,"created_at"?: string,"decided_at"?: string | null,"id"?: string,"kind": string,"note"?: string | null,"outcome"?: string | null,"reason": string,"reporter_id": string,"subject_id": string
                  }
                  Update: {
                    "case_id"?: string,"created_at"?: string,"decided_at"?: string | null,"id"?: string,"kind"?: string,"note"?: string | null,"outcome"?: string | null,"reason"?: string,"reporter_id"?: string,"subject_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "reports_case_id_fkey"
      columns: ["case_id"]
isOneToOne: false
      referencedRelation: "moderation_cases"
      referencedColumns: ["id"]
    }
                  ]
                },"saves": {
                  Row: {
                    "created_at": string,"post_id": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"post_id": string,"user_id"?: string
                  }
                  Update: {
                    "created_at"?: string,"post_id"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "saves_post_id_fkey"
      columns: ["post_id"]
isOneToOne: false
      referencedRelation: "posts"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "saves_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"subscriptions": {
                  Row: {
                    "cancelled_at": string | null,"created_at": string,"creator_id": string,"ended_at": string | null,"id": string,"period_end": string | null,"periods": number,"price_cents": number,"provider_knows": string,"provider_reference": string | null,"renewal_begun_at": string | null,"started_at": string | null,"state": string,"subscriber_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "cancelled_at"?: string | null,"created_at"?: string,"creator_id": string,"ended_at"?: string | null,"id"?: string,"period_end"?: string | null,"periods"?: number,"price_cents": number,"provider_knows"?: string,"provider_reference"?: string | null,"renewal_begun_at"?: string | null,"started_at"?: string | null,"state"?: string,"subscriber_id": string
                  }
                  Update: {
                    "cancelled_at"?: string | null,"created_at"?: string,"creator_id"?: string,"ended_at"?: string | null,"id"?: string,"period_end"?: string | null,"periods"?: number,"price_cents"?: number,"provider_knows"?: string,"provider_reference"?: string | null,"renewal_begun_at"?: string | null,"started_at"?: string | null,"state"?: string,"subscriber_id"?: string
                  }
                  Relationships: [
                    
                  ]
                },"unlocks": {
                  Row: {
                    "created_at": string,"payment_id": string,"post_id": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"payment_id": string,"post_id": string,"user_id": string
                  }
                  Update: {
                    "created_at"?: string,"payment_id"?: string,"post_id"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "unlocks_payment_id_fkey"
      columns: ["payment_id"]
isOneToOne: false
      referencedRelation: "payments"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "unlocks_post_id_fkey"
      columns: ["post_id"]
isOneToOne: false
      referencedRelation: "posts"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "unlocks_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"user_counters": {
                  Row: {
                    "unread_messages": number,"unread_notifications": number,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "unread_messages"?: number,"unread_notifications"?: number,"user_id": string
                  }
                  Update: {
                    "unread_messages"?: number,"unread_notifications"?: number,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "user_counters_user_id_fkey"
      columns: ["user_id"]
isOneToOne: true
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                }
          }
          Views: {
            [_ in never]: never
          }
          Functions: {
            "toggle_follow":
{ Args: { "target": string }; Returns: string
                           },
"toggle_like":
{ Args: { "post": string }; Returns: Record<string, unknown>
                           },
"toggle_save":
{ Args: { "post": string }; Returns: boolean
                           }
          }
          Enums: {
            [_ in never]: never
          }
          CompositeTypes: {
            [_ in never]: never
          }
        }
}

type DatabaseWithoutInternals = Omit<Database, '__InternalSupabase'>

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, "public">]

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])[TableName] extends {
      Row: infer R
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
  ? (DefaultSchema["Tables"] & DefaultSchema["Views"])[DefaultSchemaTableNameOrOptions] extends {
      Row: infer R
    }
    ? R
    : never
  : never

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Insert: infer I
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
  ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
      Insert: infer I
    }
    ? I
    : never
  : never

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Update: infer U
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
  ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
      Update: infer U
    }
    ? U
    : never
  : never

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema["Enums"]
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"]
    : never = never
> = DefaultSchemaEnumNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema["Enums"]
  ? DefaultSchema["Enums"][DefaultSchemaEnumNameOrOptions]
  : never

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema["CompositeTypes"]
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"]
    : never = never
> = PublicCompositeTypeNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema["CompositeTypes"]
  ? DefaultSchema["CompositeTypes"][PublicCompositeTypeNameOrOptions]
  : never

export const Constants = {
  "public": {
          Enums: {
            
          }
        }
} as const
