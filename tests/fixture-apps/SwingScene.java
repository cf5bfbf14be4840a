// The standard scene in Java Swing. Commands on standard input, diary on standard output: see scene.ts.
import java.awt.BorderLayout;
import java.awt.Dimension;
import java.awt.FlowLayout;
import java.awt.event.WindowAdapter;
import java.awt.event.WindowEvent;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.swing.*;
import javax.swing.event.DocumentEvent;
import javax.swing.event.DocumentListener;
import javax.swing.table.DefaultTableModel;
import javax.swing.text.JTextComponent;

public class SwingScene {
    static final String MAIN = "Plain fixture", BYSTANDER = "Plain bystander", DIALOG = "Question";
    static final String CANARY = "hunter2-canary", HIDDEN = "never shown", LABEL = "Ready";
    static final String NOTES =
        "First line\nSecond line: na\u00efve caf\u00e9 \u65e5\u672c \ud83d\ude00\nThird line";
    static final String[] HEADERS = {"Id", "Customer", "Total"};
    static final String[] CUSTOMERS = {"Ada Lovelace", "Alan Turing", "Grace Hopper", "Edsger Dijkstra"};
    static final int ITEMS = 200, ROWS = 300;
    static final PrintStream OUT = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8);

    interface Command { void run(String argument) throws Exception; }

    final Map<String, JComponent> widgets = new HashMap<>();
    final Map<String, Command> commands = new LinkedHashMap<>();
    final JFrame frame = new JFrame();
    JDialog dialog;
    JLabel said;
    JList<String> list;
    JPanel box;

    /** One line for each thing that happened: key, value, key, value. */
    static void diary(Object... facts) {
        StringBuilder line = new StringBuilder("{");
        for (int at = 0; at < facts.length; at += 2) {
            if (at > 0) line.append(", ");
            line.append(quoted(facts[at].toString())).append(": ");
            Object value = facts[at + 1];
            line.append(value instanceof String ? quoted((String) value) : String.valueOf(value));
        }
        OUT.println(line.append("}"));
    }

    static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c < 32) out.append(String.format("\\u%04x", (int) c));
            else out.append(c);
        }
        return out.append('"').toString();
    }

    /** The argument of a command: JSON when it begins with a quote. */
    static String plain(String argument) {
        if (!argument.startsWith("\"")) return argument;
        StringBuilder out = new StringBuilder();
        for (int at = 1; at < argument.length() - 1; at++) {
            char c = argument.charAt(at);
            if (c != '\\') { out.append(c); continue; }
            char kind = argument.charAt(++at);
            if (kind == 'u') {
                out.append((char) Integer.parseInt(argument.substring(at + 1, at + 5), 16));
                at += 4;
            } else out.append("nrtbf".indexOf(kind) < 0 ? kind : "\n\r\t\b\f".charAt("nrtbf".indexOf(kind)));
        }
        return out.toString();
    }

    static String[] order(int n) {
        return new String[] {
            String.valueOf(1000 + n), CUSTOMERS[(n - 1) % CUSTOMERS.length], String.format(java.util.Locale.ROOT, "%.2f", n * 12.5)};
    }

    JButton button(String name, Runnable clicked) {
        JButton button = new JButton(name);
        button.addActionListener(event -> { diary("clicked", name); if (clicked != null) clicked.run(); });
        widgets.put(name, button);
        return button;
    }

    void main() {
        JPanel column = new JPanel();
        column.setLayout(new BoxLayout(column, BoxLayout.Y_AXIS));
        JPanel buttons = new JPanel(new FlowLayout(FlowLayout.LEFT));
        JButton delete = button("Delete", null);
        delete.setEnabled(false);
        buttons.add(button("Save", null));
        buttons.add(delete);
        buttons.add(button("Ask\u2026", this::openDialog));
        column.add(buttons);
        column.add(choices());
        column.add(form());
        said = new JLabel(LABEL);
        // A name of a million characters must not make the column wider than the window.
        said.setPreferredSize(new Dimension(500, 18));
        JPanel saying = new JPanel(new FlowLayout(FlowLayout.LEFT));
        saying.add(said);
        column.add(saying);
        column.add(notes());
        column.add(items());
        column.add(orders());
        box = new JPanel(new FlowLayout(FlowLayout.LEFT));
        column.add(box);
        JLabel hidden = new JLabel(HIDDEN);
        hidden.setVisible(false);
        column.add(hidden);
        frame.setContentPane(column);
        frame.setTitle(MAIN);
        frame.setSize(560, 760);
        frame.setMinimumSize(new Dimension(200, 150));
        frame.setDefaultCloseOperation(JFrame.DISPOSE_ON_CLOSE);
        frame.addWindowListener(new WindowAdapter() {
            @Override public void windowClosing(WindowEvent event) { diary("closed", true); }
            @Override public void windowClosed(WindowEvent event) { System.exit(0); }
        });
        mainCommands();
    }

    JPanel choices() {
        JPanel row = new JPanel(new FlowLayout(FlowLayout.LEFT));
        ButtonGroup group = new ButtonGroup();
        for (String name : new String[] {"Wrap", "Left", "Right"}) {
            JToggleButton choice = name.equals("Wrap") ? new JCheckBox(name) : new JRadioButton(name);
            choice.setSelected(!name.equals("Right"));
            if (choice instanceof JRadioButton) group.add(choice);
            choice.addItemListener(event -> diary("toggled", name, "on", choice.isSelected()));
            widgets.put(name, choice);
            row.add(choice);
        }
        return row;
    }

    JPanel form() {
        JPanel form = new JPanel(new java.awt.GridLayout(0, 2, 4, 2));
        JTextField name = new JTextField("Ada");
        JPasswordField password = new JPasswordField(CANARY);
        JSpinner age = new JSpinner(new SpinnerNumberModel(36, 0, 130, 1));
        JSlider volume = new JSlider(0, 100, 25);
        JComboBox<String> colour = new JComboBox<>(new String[] {"Red", "Green", "Blue"});
        Object[] fields = {"Name", name, "Password", password, "Age", age, "Volume", volume, "Colour", colour};
        for (int at = 0; at < fields.length; at += 2) {
            JLabel label = new JLabel((String) fields[at]);
            JComponent field = (JComponent) fields[at + 1];
            label.setLabelFor(field);
            form.add(label);
            form.add(field);
            widgets.put((String) fields[at], field);
        }
        changed(name, () -> diary("text", "Name", "value", name.getText()));
        changed(password, () -> diary("text", "Password", "length", password.getPassword().length));
        age.addChangeListener(event -> diary("value", "Age", "is", age.getValue()));
        volume.addChangeListener(event -> diary("value", "Volume", "is", volume.getValue()));
        colour.addActionListener(event -> diary("selected", (String) colour.getSelectedItem()));
        return form;
    }

    static void changed(JTextComponent field, Runnable tell) {
        field.getDocument().addDocumentListener(new DocumentListener() {
            public void insertUpdate(DocumentEvent event) { tell.run(); }
            public void removeUpdate(DocumentEvent event) { tell.run(); }
            public void changedUpdate(DocumentEvent event) { }
        });
    }

    static JScrollPane scrolled(JComponent inner, int height) {
        JScrollPane pane = new JScrollPane(inner);
        pane.setPreferredSize(new Dimension(500, height));
        return pane;
    }

    JScrollPane notes() {
        JTextArea notes = new JTextArea(NOTES);
        notes.getAccessibleContext().setAccessibleName("Notes");
        changed(notes, () -> diary("text", "Notes", "value", notes.getText()));
        widgets.put("Notes", notes);
        return scrolled(notes, 70);
    }

    JScrollPane items() {
        DefaultListModel<String> model = new DefaultListModel<>();
        for (int n = 1; n <= ITEMS; n++) model.addElement("Item " + n);
        list = new JList<>(model);
        list.setSelectionMode(ListSelectionModel.SINGLE_SELECTION);
        list.setVisibleRowCount(8);
        list.getAccessibleContext().setAccessibleName("Items");
        list.addListSelectionListener(event -> {
            if (!event.getValueIsAdjusting()) diary("selected", list.getSelectedValue());
        });
        return scrolled(list, 150);
    }

    JScrollPane orders() {
        DefaultTableModel model = new DefaultTableModel(HEADERS, 0) {
            @Override public boolean isCellEditable(int row, int column) { return false; }
        };
        for (int n = 1; n <= ROWS; n++) model.addRow(order(n));
        JTable table = new JTable(model);
        table.setSelectionMode(ListSelectionModel.SINGLE_SELECTION);
        table.getAccessibleContext().setAccessibleName("Orders");
        table.getSelectionModel().addListSelectionListener(event -> {
            if (!event.getValueIsAdjusting()) diary("selected", (String) table.getValueAt(table.getSelectedRow(), 0));
        });
        widgets.put("Orders", table);
        return scrolled(table, 150);
    }

    void openDialog() {
        JPanel column = new JPanel(new BorderLayout());
        column.add(new JLabel("Go on?"), BorderLayout.NORTH);
        JPanel answers = new JPanel();
        column.add(answers, BorderLayout.SOUTH);
        dialog = new JDialog(frame, DIALOG, true);
        for (String answer : new String[] {"Yes", "No"}) {
            JButton button = new JButton(answer);
            button.addActionListener(event -> { diary("dialog", DIALOG, "answer", answer); dialog.dispose(); });
            answers.add(button);
        }
        dialog.setContentPane(column);
        dialog.setSize(240, 120);
        dialog.setLocationRelativeTo(frame);
        // A modal dialog would keep this command waiting until somebody answers it.
        SwingUtilities.invokeLater(() -> dialog.setVisible(true));
    }

    void mainCommands() {
        commands.put("set-label", argument -> said.setText(plain(argument)));
        commands.put("set-text", argument -> {
            String[] parts = argument.split(" ", 2);
            ((JTextComponent) widgets.get(parts[0])).setText(plain(parts[1]));
        });
        commands.put("check", argument -> ((JCheckBox) widgets.get("Wrap")).setSelected(!argument.equals("off")));
        commands.put("add-child", argument -> { box.add(button(argument, null)); box.revalidate(); box.repaint(); });
        commands.put("remove-child", argument -> { box.remove(widgets.remove(argument)); box.revalidate(); box.repaint(); });
        commands.put("scroll-list", argument -> {
            int row = Integer.parseInt(argument) - 1;
            java.awt.Rectangle cell = list.getCellBounds(row, row);
            cell.height = ((JViewport) list.getParent()).getExtentSize().height;
            list.scrollRectToVisible(cell);
        });
        commands.put("focus", argument -> widgets.get(argument).requestFocusInWindow());
        commands.put("open-dialog", argument -> openDialog());
        commands.put("close-dialog", argument -> dialog.dispose());
        commands.put("title", argument -> frame.setTitle(plain(argument)));
        commands.put("hide", argument -> widgets.get(argument).setVisible(false));
        commands.put("show", argument -> widgets.get(argument).setVisible(true));
        commands.put("quit", argument -> frame.dispose());
    }

    void bystander() {
        frame.setTitle(BYSTANDER);
        frame.add(button("Hello", null));
        frame.setSize(240, 120);
        frame.setDefaultCloseOperation(JFrame.EXIT_ON_CLOSE);
        commands.put("quit", argument -> System.exit(0));
    }

    void perform(String line) {
        String[] parts = line.split(" ", 2);
        try {
            Command command = commands.get(parts[0]);
            if (command == null) throw new IllegalArgumentException("no command " + parts[0]);
            command.run(parts.length > 1 ? parts[1] : "");
            diary("done", parts[0]);
        } catch (Exception error) {
            diary("failed", parts[0], "why", String.valueOf(error));
        }
    }

    public static void main(String[] args) throws Exception {
        SwingScene scene = new SwingScene();
        SwingUtilities.invokeAndWait(() -> {
            if (args.length > 0 && args[0].equals("--bystander")) scene.bystander();
            else scene.main();
            scene.frame.setVisible(true);
        });
        diary("ready", true);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = in.readLine()) != null; ) {
            String command = line;
            if (!command.isEmpty()) SwingUtilities.invokeLater(() -> scene.perform(command));
        }
        System.exit(0);
    }
}
