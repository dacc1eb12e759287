-- Stands in for KOReader's screen: every widget is a table, UIManager keeps those that are shown, and what is tapped is
-- found by its text. Nothing is drawn.
local EventListener = require("ui/widget/eventlistener")

local Widget = EventListener:extend({})

local InputDialog = Widget:extend({})

function InputDialog:getInputText()
    return self.input or ""
end

function InputDialog:getInputValue()
    return self.input
end

function InputDialog:type(values)
    self.input = values[1]
end

function InputDialog:onShowKeyboard() end

local MultiInputDialog = InputDialog:extend({})

function MultiInputDialog:init()
    self.input_fields = {}
    for index, field in ipairs(self.fields) do
        self.input_fields[index] = {
            setText = function(_, text)
                field.text = text
            end,
        }
    end
end

function MultiInputDialog:type(values)
    for index, value in ipairs(values) do
        self.fields[index].text = value
    end
end

function MultiInputDialog:getFields()
    local texts = {}
    for index, field in ipairs(self.fields) do
        texts[index] = field.text or ""
    end
    return texts
end

function MultiInputDialog:addWidget(widget)
    self.checks = self.checks or {}
    table.insert(self.checks, widget)
end

local ButtonDialog = Widget:extend({})

function ButtonDialog:setTitle(title)
    self.title = title
end

local TextViewer = Widget:extend({})

function TextViewer:onClose()
    require("ui/uimanager"):close(self)
end

local LINES_OF_A_SCREEN = 14

local Menu = Widget:extend({})

function Menu:init()
    self.paths = {}
    self.page = 1
    self:updateItems()
end

function Menu:updateItems()
    for index, item in ipairs(self.item_table) do
        item.idx = index
    end
    self.page_num = math.ceil(#self.item_table / LINES_OF_A_SCREEN)
end

function Menu:switchItemTable(title, item_table)
    self.title = title or self.title
    self.item_table = item_table or self.item_table
    self:updateItems()
end

function Menu:onNextPage()
    self.page = math.min(self.page + 1, self.page_num)
end

function Menu:setTitleBarLeftIcon() end

local UIManager = { windows = {}, shown = {} }

function UIManager:show(widget)
    table.insert(self.windows, widget)
    table.insert(self.shown, tostring(widget.text or widget.title or ""))
end

function UIManager:close(widget)
    for index = #self.windows, 1, -1 do
        if self.windows[index] == widget then
            table.remove(self.windows, index)
        end
    end
end

function UIManager:scheduleIn(_, action)
    action()
end

function UIManager:nextTick(action)
    action()
end

function UIManager:forceRePaint() end
function UIManager:setDirty() end

-- The widget on top that takes what the person does.
function UIManager:top(accepts)
    for index = #self.windows, 1, -1 do
        local widget = self.windows[index]
        if accepts(widget) then
            return widget
        end
    end
    error("nothing on the screen takes that")
end

local CLASSES = {
    ["ui/widget/inputdialog"] = InputDialog,
    ["ui/widget/multiinputdialog"] = MultiInputDialog,
    ["ui/widget/buttondialog"] = ButtonDialog,
    ["ui/widget/textviewer"] = TextViewer,
    ["ui/widget/menu"] = Menu,
    ["ui/uimanager"] = UIManager,
}
for name, class in pairs(CLASSES) do
    package.preload[name] = function()
        return class
    end
end

local PLAIN = { "infomessage", "multiconfirmbox", "confirmbox", "checkbutton", "spinwidget", "container/widgetcontainer" }
for _, name in ipairs(PLAIN) do
    package.preload["ui/widget/" .. name] = function()
        return Widget:extend({})
    end
end
